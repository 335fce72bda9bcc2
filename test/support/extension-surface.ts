import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * What a file exports: each name with its declaration, as TypeScript writes it, without comments and private members. File by file,
 * which takes a second: an inferred type is not followed, and shown as `any`.
 */
export function surfaceOf(entry: string): Map<string, string> {
  const files = new Files();
  return new Map(
    files.of(entry).exported.map(({ name, from, original }) => [name, files.declarationOf(original, join(dirname(entry), from))]),
  );
}

interface Exported {
  readonly name: string;
  readonly original: string;
  readonly from: string;
}

interface Read {
  /** The names that it exports of other files. */
  readonly exported: readonly Exported[];
  readonly imported: readonly Exported[];
  readonly declared: ReadonlyMap<string, string>;
}

class Files {
  private readonly known = new Map<string, Read>();

  of(file: string): Read {
    const read = this.known.get(file) ?? readDeclarations(file);
    this.known.set(file, read);
    return read;
  }

  /** The declaration of a name, in the file or in one that it exports it from. Empty if it is nowhere. */
  declarationOf(name: string, file: string): string {
    const { exported, imported, declared } = this.of(file);
    const own = declared.get(name);
    if (own !== undefined) return own;
    for (const { name: known, original, from } of [...exported, ...imported]) {
      if (known !== name && known !== '*') continue;
      const found = this.declarationOf(known === '*' ? name : original, join(dirname(file), from));
      if (found !== '') return found;
    }
    return '';
  }
}

const SOURCES = ['.ts', '.tsx'];

function readDeclarations(file: string): Read {
  const path = SOURCES.map((ending) => file.replace(/\.(js|ts)$/, ending)).find((candidate) => ts.sys.fileExists(candidate))!;
  const { outputText } = ts.transpileDeclaration(readFileSync(path, 'utf8'), { fileName: path, compilerOptions: OPTIONS });
  const { statements } = ts.createSourceFile(path, outputText, ts.ScriptTarget.Latest, true);
  const declared = new Map<string, string>();
  for (const statement of statements)
    for (const name of namesOf(statement)) declared.set(name, [declared.get(name), shown(statement)].filter(Boolean).join('\n'));
  return { exported: statements.flatMap(exportsOf), imported: statements.flatMap(importsOf), declared };
}

const OPTIONS: ts.CompilerOptions = {
  ...{ target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, jsx: ts.JsxEmit.ReactJSX },
  ...{ experimentalDecorators: true, removeComments: true },
};

function exportsOf(statement: ts.Statement): Exported[] {
  if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier) return [];
  const from = (statement.moduleSpecifier as ts.StringLiteral).text;
  const clause = statement.exportClause;
  if (!clause) return [{ name: '*', original: '*', from }];
  if (!ts.isNamedExports(clause)) return [];
  return clause.elements.map(({ name, propertyName }) => ({ name: name.text, original: (propertyName ?? name).text, from }));
}

/** What a file imports, it may export by a statement of its own. */
function importsOf(statement: ts.Statement): Exported[] {
  if (!ts.isImportDeclaration(statement)) return [];
  const [{ text: from }, bindings] = [statement.moduleSpecifier as ts.StringLiteral, statement.importClause?.namedBindings];
  if (!from.startsWith('.') || !bindings || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.map(({ name, propertyName }) => ({ name: name.text, original: (propertyName ?? name).text, from }));
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name ? [name.getText()] : [];
}

/** A class that Nest makes has private members and a constructor for what is injected: neither is a promise. */
function shown(statement: ts.Statement): string {
  const text = statement.getText().replace(/^export (?:declare )?/, '');
  const isInjected = /\n\s+private readonly /.test(text) && !/^abstract /.test(text);
  const without = isInjected ? text.replace(/\n\s+constructor\([^]*?\);/, '') : text;
  return without.replaceAll(/\n\s+(?:private |#)[^;]*;/g, '');
}
