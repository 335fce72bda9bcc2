// Checks the types and the lint rules of some files of the project in the current folder: `node check-files.js FILE...`.
// Like `tsc --noEmit && eslint FILE...`, but with one program for both, because reading and understanding all sources takes longest.
import { ESLint } from 'eslint';
import ts from 'typescript';

const files = process.argv.slice(2);
const { options } = ts.getParsedCommandLineOfConfigFile('tsconfig.json', { noEmit: true, incremental: false }, ts.sys);
const program = ts.createProgram(
  files.filter((file) => file.endsWith('.ts')),
  options,
);
const ofTypes = program.getRootFileNames().flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
process.stdout.write(ts.formatDiagnostics(ofTypes, { ...ts.sys, getCanonicalFileName: (file) => file, getNewLine: () => '\n' }));

const parserOptions = { projectService: false, programs: [program] };
const eslint = new ESLint({ overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions } } });
const results = await eslint.lintFiles(files);
process.stdout.write(await (await eslint.loadFormatter()).format(results));

const isClean = ofTypes.length === 0 && results.every(({ errorCount }) => errorCount === 0);
process.exitCode = isClean ? 0 : 1;
