/** `npm run upgrade:check` says what of the extensions the present version of the product would break. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { pendingChanges } from './release/changes.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOUSE = 'src/extensions';
const API = 'src/extension-api.ts';
const PUBLISHED = [API, 'src/extension-computations.ts', 'test/extension-api.ts'];
/** Generated, so it is no part of an extension. */
const DOCUMENTS = 'documents';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const filesIn = (folder) =>
  existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { recursive: true })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
    : [];
const names = readdirSync(join(ROOT, HOUSE), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== DOCUMENTS)
  .map(({ name }) => name);

/** What the changelog, and what is not in it yet, say of a name, in one line each. */
function saidOf(name) {
  const items = read('CHANGELOG.md').split(/\n(?=- )/);
  const released = items.filter((item) => item.startsWith('- ')).map((item) => ['CHANGELOG.md', item.slice(2)]);
  const pending = pendingChanges(ROOT).map(({ file, text }) => [`changes/${file}`, text]);
  return [...pending, ...released]
    .filter(([, text]) => text.includes(`\`${name}\``))
    .map(([file, text]) => `    ${file}: ${text.trim().replaceAll(/\s+/g, ' ')}`);
}

/** Errors of types in the files of extensions. Those of the product are found by `npm run check`. */
function typeErrors() {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const files = [join(ROOT, HOUSE, 'index.ts'), ...names.flatMap((name) => filesIn(`${HOUSE}/${name}`)).map((file) => join(ROOT, file))];
  const program = ts.createProgram(files, { ...options, noEmit: true, incremental: false, tsBuildInfoFile: undefined });
  return files
    .map((file) => program.getSourceFile(file))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .flatMap(({ file, start, messageText }) => {
      const { line } = file.getLineAndCharacterOfPosition(start);
      const [word] = /^\w+/.exec(file.text.slice(start)) ?? [];
      const text = ts.flattenDiagnosticMessageText(messageText, ' ');
      return [`${relative(ROOT, file.fileName)}:${line + 1}: ${text}`, ...(word ? saidOf(word) : [])];
    });
}

/** Imports of the product that do not go through the published API, which nobody promises to keep. */
function importsPastTheApi() {
  const arrows = existsSync(join(ROOT, HOUSE, 'arrows.cjs')) ? ts.sys.readFile(join(ROOT, HOUSE, 'arrows.cjs')) : '';
  return names.flatMap((name) =>
    filesIn(`${HOUSE}/${name}`).flatMap((file) => {
      const isAllowed = (path) =>
        path.startsWith(`${HOUSE}/${name}/`) || PUBLISHED.includes(path) || (path.startsWith(`${HOUSE}/`) && arrows !== '');
      const found = ts.preProcessFile(read(file), true, true).importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
      return found
        .map(({ fileName, pos }) => ({ pos, path: posix.join(posix.dirname(file), fileName).replace(/\.js$/, '.ts') }))
        .filter(({ path }) => !isAllowed(path))
        .map(({ pos, path }) => `${file}:${lineAt(read(file), pos)}: imports ${path}: import from ${API} instead.`);
    }),
  );
}

const lineAt = (text, pos) => text.slice(0, pos).split('\n').length;

/** How names that must be there once are written. */
const NAMES = {
  path: /@Controller\('([^']+)'\)/g,
  table: /@Entity\('([^']+)'\)|\bCREATE TABLE (\w+)/g,
  operation: /\bid: '(\w+\.\w+)',\n\s+route:/g,
  scope: /\bscope: '(\w+):\w+'/g,
  tool: /\btool: \{\s*name: '(\w+)'/g,
  event: /\bkind: '(\w+\.\w+)'/g,
  'job or event': /@Job\(\{\s*id: '([\w.]+)'/g,
  page: /@ConsoleSection\(\{\s*path: '([^']+)'/g,
};

/** Of each name, by its kind, the owners: the product or extensions. */
function takenNames() {
  const owners = new Map();
  const product = [...filesIn('src').filter((file) => !file.startsWith(`${HOUSE}/`)), ...filesIn('migrations')];
  const all = [['the product', product], ...names.map((name) => [`the extension ${name}`, filesIn(`${HOUSE}/${name}`)])];
  for (const [owner, files] of all)
    for (const file of files.filter((path) => !/\.(test|spec)\.ts$/.test(path)))
      for (const [kind, pattern] of Object.entries(NAMES))
        for (const [, ...groups] of read(file).matchAll(pattern)) {
          const key = `${kind} ${groups.find(Boolean)}`;
          owners.set(key, new Map(owners.get(key)).set(owner, file));
        }
  return [...owners]
    .filter(([, found]) => found.size > 1)
    .map(
      ([key, found]) =>
        `The ${key} is declared by ${[...found].map(([owner, file]) => `${owner} (${file})`).join(' and by ')}: choose another.`,
    );
}

/** Extensions with which no process of this version starts. The rule is that of the program. */
async function versions() {
  const { version } = JSON.parse(read('package.json'));
  const { outputText } = ts.transpileModule(read('src/kernel/version-range.ts'), {
    compilerOptions: { module: 'esnext', target: 'es2022' },
  });
  const { isInRange } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
  return names.flatMap((name) => {
    const file = `${HOUSE}/${name}/extension.ts`;
    const madeFor = existsSync(join(ROOT, file)) ? /\bmadeFor: '([^']+)'/.exec(read(file))?.[1] : undefined;
    return madeFor === undefined || isInRange(version, madeFor)
      ? []
      : [`${name} was made for ${madeFor}, and no process of ${version} starts with it. If all else is well, change madeFor in ${file}.`];
  });
}

/** With DATABASE_URL or DATABASE_DIRECT_URL, what `claims migrate` would run. */
function pendingMigrations() {
  const { DATABASE_URL, DATABASE_DIRECT_URL } = process.env;
  if (DATABASE_URL === undefined && DATABASE_DIRECT_URL === undefined) return [];
  const claims = join(ROOT, 'bin/claims.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [claims, 'migrate', '--plan', '--json'], {
    encoding: 'utf8',
    cwd: dirname(dirname(claims)),
  });
  if (status !== 0) return [`The database could not be asked (npm run build first): ${stderr.trim()}`];
  return JSON.parse(stdout).migrations.map(({ name }) => `${name} is pending: \`claims migrate\` runs it.`);
}

const CHECKS = { Types: typeErrors, 'Imports past the API': importsPastTheApi, 'Names that are taken': takenNames, Versions: versions };
const NOTES = { 'Pending migrations': pendingMigrations };

if (names.length === 0) console.log('There are no extensions.');
else {
  for (const [title, look] of Object.entries({ ...CHECKS, ...NOTES })) {
    const lines = await look();
    console.log(`${title}: ${lines.length === 0 ? 'nothing found' : ''}`.trimEnd());
    for (const line of lines) console.log(`  ${line}`);
    if (title in CHECKS && lines.length > 0) process.exitCode = 1;
  }
}
