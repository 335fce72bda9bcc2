import ts from 'typescript';

const INJECTABLE = 'Injectable';

/** What src/extension-api.ts exports: each name with its declaration, as TypeScript writes it, without comments and private members. */
export function surfaceOf(entry: string): Map<string, string> {
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram([entry], {
    ...options,
    ...{ declaration: true, emitDeclarationOnly: true, removeComments: true, sourceMap: false },
    ...{ incremental: false, tsBuildInfoFile: undefined },
  });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!);
  const surface = new Map<string, string>();
  for (const alias of exported) {
    const { name, declarations = [] } = alias.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(alias) : alias;
    const files = [...new Set(declarations.map((declaration) => declaration.getSourceFile()))];
    const own = files.flatMap((file) => declaredIn(program, file).get(name) ?? []);
    surface.set(alias.name, own.map((text) => (declarations.some(isInjectable) ? withoutConstructor(text) : text)).join('\n'));
  }
  return surface;
}

const emitted = new WeakMap<ts.SourceFile, ReadonlyMap<string, string[]>>();

/** The declarations of a file, by their names. */
function declaredIn(program: ts.Program, file: ts.SourceFile): ReadonlyMap<string, string[]> {
  const known = emitted.get(file);
  if (known) return known;
  let text = '';
  program.emit(file, (_name, written) => (text = written), undefined, true);
  const found = new Map<string, string[]>();
  const parsed = ts.createSourceFile(file.fileName, text, ts.ScriptTarget.Latest, true);
  for (const statement of parsed.statements)
    for (const name of namesOf(statement)) found.set(name, [...(found.get(name) ?? []), withoutPrivate(statement.getText())]);
  emitted.set(file, found);
  return found;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { name?: ts.Node };
  return name ? [name.getText()] : [];
}

const withoutPrivate = (text: string): string => text.replaceAll(/\n\s+(?:private|#)\b.*;/g, '').replaceAll(/^export (?:declare )?/gm, '');

/** Nest calls it: what is injected is no promise. */
const withoutConstructor = (text: string): string => text.replace(/\n\s+constructor\(.*\);/, '');

const isInjectable = (declaration: ts.Declaration): boolean =>
  ts.isClassDeclaration(declaration) && (ts.getDecorators(declaration) ?? []).some((mark) => mark.getText().startsWith(`@${INJECTABLE}`));
