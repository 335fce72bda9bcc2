import { join } from 'node:path';
import ts from 'typescript';

const ROOT = process.cwd();

/** What the compiler says of files that are not there, as if they were: by their paths in the repository. With its settings. */
export function typeErrorsOf(files: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, ROOT);
  const texts = new Map([...files].map(([path, text]) => [join(ROOT, path), text]));
  const wanted = { ...options, noEmit: true, incremental: false, tsBuildInfoFile: undefined };
  const host = ts.createCompilerHost(wanted, true);
  const onDisk = ts.createCompilerHost(wanted, true);
  host.fileExists = (path) => texts.has(path) || onDisk.fileExists(path);
  host.directoryExists = (path) => [...texts.keys()].some((file) => file.startsWith(`${path}/`)) || ts.sys.directoryExists(path);
  host.readFile = (path) => texts.get(path) ?? onDisk.readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const text = texts.get(path);
    return text === undefined ? onDisk.getSourceFile(path, language, ...rest) : ts.createSourceFile(path, text, language, true);
  };
  const program = ts.createProgram([...texts.keys()], wanted, host);
  return [...texts.keys()]
    .map((path) => program.getSourceFile(path)!)
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, start, messageText }) => {
      const { line } = file!.getLineAndCharacterOfPosition(start!);
      return `${file!.fileName.slice(ROOT.length + 1)}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
}
