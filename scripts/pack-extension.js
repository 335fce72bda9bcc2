/**
 * `npm run pack:extension -- NAME` packs an extension of src/extensions as operators install it: compiled, with types, sources, tests and
 * documents. `npm run pack:extension -- NAME FOLDER` leaves it in another folder than the repository.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOUSE = 'src/extensions';
const API = '@claims-api/extension-api';
/** Under which name a package imports what the product gives it. */
const PROVIDED = { 'src/extension-api.js': API, 'src/extension-computations.js': `${API}/computations` };
const SHARED = new Set(
  [...readFileSync(join(ROOT, 'src/program/extensions/load-packages.ts'), 'utf8').matchAll(/await import\('([^.'][^']*)'\)/g)].map(
    ([, name]) => name,
  ),
);
const SPECIFIER = /(?<=(?:\bfrom |\bimport |\bimport\()['"])[^'"]+(?=['"])/g;

const [name, target = ROOT] = process.argv.slice(2);
const folder = `${HOUSE}/${name}`;
const copy = mkdtempSync(join(tmpdir(), 'claims-extension-'));

function fail(lines) {
  for (const line of [lines].flat()) console.error(line);
  rmSync(copy, { recursive: true });
  process.exit(1);
}

const manifestOf = (extension) => {
  const file = join(ROOT, HOUSE, extension, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};
const packageOf = (extension) => manifestOf(extension).name ?? `claims-extension-${extension}`;

if (name === undefined || !existsSync(join(ROOT, folder, 'extension.ts')))
  fail(`There is no extension ${name ?? 'without a name'} in ${HOUSE}.`);
const own = manifestOf(name);
const files = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(join(ROOT, folder), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  .filter((file) => !file.startsWith('node_modules/'));
const isSource = (file) => /\.tsx?$/.test(file) && !/^test\/|\.(?:spec|test)\.tsx?$/.test(file);
const sources = files.filter(isSource);
const problems = [];
/** Other extensions of the repository that it imports: they are packages, too. */
const needed = new Set();

/** Imports of the product, of packages and of other extensions, as they are written in a package. */
function asPackage(text, file) {
  const from = posix.join(folder, posix.dirname(file));
  return text.replaceAll(SPECIFIER, (specifier) => {
    const path = posix.join(from, specifier);
    if (!specifier.startsWith('.') || path.startsWith(`${folder}/`)) return specifier;
    const other = extensionAt(path);
    if (other) needed.add(other);
    // Else types that TypeScript has found by itself, of files that the API exports.
    return PROVIDED[path] ?? (other ? packageOf(other) : `${API}/${path}`);
  });
}
const extensionAt = (path) => /^src\/extensions\/([^/]+)\/index\.js$/.exec(path)?.[1];

/** What a package could not import. */
function findImports(file) {
  const text = readFileSync(join(ROOT, folder, file), 'utf8');
  for (const { fileName, pos } of ts.preProcessFile(text, true, true).importedFiles) {
    const place = `${folder}/${file}:${text.slice(0, pos).split('\n').length}`;
    const path = posix.join(folder, posix.dirname(file), fileName);
    const [known] = /^(?:@[^/]+\/)?[^/]+/.exec(fileName);
    if (fileName.startsWith('.')) {
      if (!path.startsWith(`${folder}/`) && !PROVIDED[path] && !extensionAt(path))
        problems.push(`${place}: imports ${path}: import the API instead.`);
    } else if (!fileName.startsWith('node:') && !SHARED.has(fileName) && !(known in (own.dependencies ?? {})))
      problems.push(`${place}: imports ${known}: name it as a dependency in ${folder}/package.json.`);
  }
}

/** JavaScript and types of the sources, or what is wrong with them. */
function compile() {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT);
  const roots = sources.map((file) => join(ROOT, folder, file));
  const emitted = { declaration: true, sourceMap: false, incremental: false, tsBuildInfoFile: undefined, outDir: join(copy, 'out') };
  const program = ts.createProgram(roots, { ...options, ...emitted });
  const found = roots.map((file) => program.getSourceFile(file));
  for (const file of found) {
    const wrong = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    for (const { start, messageText } of wrong) {
      const { line } = file.getLineAndCharacterOfPosition(start);
      problems.push(`${relative(ROOT, file.fileName)}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
    }
    program.emit(file, (path, text) => write(`dist/${relative(join(copy, 'out', folder), path)}`, asPackage(text, ofFolder(path))));
  }
}
const ofFolder = (path) => relative(join(copy, 'out', folder), path).replaceAll('\\', '/');

function write(path, text) {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

function manifest() {
  const [, madeFor] = /\bmadeFor: '([^']+)'/.exec(readFileSync(join(ROOT, folder, 'extension.ts'), 'utf8')) ?? [];
  if (madeFor === undefined) fail(`${folder}/extension.ts must say madeFor: '…', as a text.`);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { private: _private, devDependencies: _development, workspaces: _workspaces, scripts: _scripts, ...kept } = own;
  const main = existsSync(join(ROOT, folder, 'index.ts')) ? 'index' : 'extension';
  const peers = Object.fromEntries([[API, madeFor], ...[...needed].map((other) => [packageOf(other), manifestOf(other).version ?? '*'])]);
  return {
    // Without a package.json, the extension is versioned with the product that it is built in.
    version,
    license: 'UNLICENSED',
    ...kept,
    name: packageOf(name),
    type: 'module',
    exports: { '.': { types: `./dist/${main}.d.ts`, default: `./dist/${main}.js` } },
    files: ['dist', 'src', 'docs'],
    peerDependencies: { ...own.peerDependencies, ...peers },
    // It is given by the product: npm must not look for it.
    peerDependenciesMeta: { ...own.peerDependenciesMeta, [API]: { optional: true } },
    claims: { extension: './dist/extension.js', madeFor },
  };
}

for (const file of sources) findImports(file);
if (problems.length === 0) compile();
if (problems.length > 0) fail(problems);
for (const file of files) {
  if (file === 'package.json') continue;
  if (/^(?:docs\/|README|LICENSE|CHANGELOG)/.test(file)) cpSync(join(ROOT, folder, file), join(copy, file));
  else {
    cpSync(join(ROOT, folder, file), join(copy, 'src', file));
    // Files that it reads are beside its code.
    if (!/\.tsx?$/.test(file) && !file.startsWith('test/')) cpSync(join(ROOT, folder, file), join(copy, 'dist', file));
  }
}
rmSync(join(copy, 'out'), { recursive: true, force: true });
const written = manifest();
write('package.json', `${JSON.stringify(written, null, 2)}\n`);
execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(target)], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] });
rmSync(copy, { recursive: true });
console.log(`${written.name} ${written.version}, made for ${written.claims.madeFor} of the product.`);
