/** `npm run new:resource NAME`: the first draft of a resource, in the shape of src/modules/projects. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BadName, fillIn, formsOf, namesOf, pascal } from './resource-names.js';

const HELP = `npm run new:resource NAME [-- options]

Writes a resource with a name and a status: src/modules/NAME, a migration and a test, and adds it to the lists that name it.
NAME is the folder: a plural in kebab case, such as claim-notes.

  --singular NAME    one of them                          (claim-note)
  --path NAME        the collection's path below /v1      (claim-notes)
  --capability NAME  scopes, operations and table         (claim_notes)
  --event NAME       what its events and tools begin with (claim_note)
  --help             this text

Where the API calls it otherwise than the folder, --capability is enough: npm run new:resource categories -- --capability expense_categories`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATES = join(ROOT, 'scripts/templates');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** What will be written: the text of every file by its path. Nothing is written while there may be a reason against it. */
function plan(names) {
  refuseTaken(names);
  const timestamp = Math.max(Date.now(), lastMigration() + 1000);
  const forms = formsOf(names, timestamp);
  const migration = `${timestamp}-create-${names.path}`;
  const places = { 'create-sample-widgets.ts': `migrations/${migration}.ts`, 'widgets.test.ts': `test/e2e/${names.name}.test.ts` };
  const files = {};
  for (const template of readdirSync(TEMPLATES)) {
    const path = places[template] ?? `src/modules/${names.name}${fillIn(`/${template}`, forms)}`;
    if (existsSync(join(ROOT, path))) throw new BadName(`${path} exists already.`);
    files[path] = fillIn(readFileSync(join(TEMPLATES, template), 'utf8'), forms);
  }
  return { ...files, ...listsWith(names, migration, `Create${pascal(names.capability)}${timestamp}`) };
}

/** No other resource may have any of the names, and no class that the templates import may be called so. */
function refuseTaken({ name, singular, path, capability, event }) {
  if (existsSync(join(ROOT, 'src/modules', name))) throw new BadName(`src/modules/${name} exists already.`);
  const taken = [`@Controller('v1/${path}')`, `@Entity('${capability}')`, `'${capability}.list'`, `'${event}.created'`];
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true }).filter((entry) => entry.endsWith('.ts'))) {
    const text = read(join('src', file));
    const found = taken.find((candidate) => text.includes(candidate));
    if (found) throw new BadName(`${found} stands in src/${file} already.`);
  }
  const templates = readdirSync(TEMPLATES)
    .map((template) => readFileSync(join(TEMPLATES, template), 'utf8'))
    .join('\n');
  const used = [name, singular].map(pascal).find((word) => new RegExp(`\\b${word}\\b`).test(templates));
  if (used) throw new BadName(`${used} is the name of something that every resource uses.`);
}

const migrationFiles = () => readdirSync(join(ROOT, 'migrations')).filter((file) => /^\d+-/.test(file));
const lastMigration = () => Math.max(0, ...migrationFiles().map((file) => Number.parseInt(file, 10)));

/** The files that list resources, each with its new lines. */
function listsWith({ name }, migration, migrationClass) {
  const module = `${pascal(name)}Module`;
  const LAST_IMPORT_OF = (folder) => new RegExp(`(?<=^import .* from '${folder}.*';\\n)(?!import .* from '${folder})`, 'm');
  const END_OF_LIST = /(?<=^ {2}\w+,\n)(?=\];)/m;
  const AFTER_ARROWS = /(?<=^ {4}arrow\(.*\),\n)(?! {4}arrow\()/m;
  return {
    'src/app.module.ts': withLines(
      'src/app.module.ts',
      [LAST_IMPORT_OF('./modules/'), `import { ${module} } from './modules/${name}/index.js';\n`],
      [END_OF_LIST, `  ${module},\n`],
    ),
    'migrations/index.ts': withLines(
      'migrations/index.ts',
      [LAST_IMPORT_OF('./'), `import { ${migrationClass} } from './${migration}.js';\n`],
      [END_OF_LIST, `  ${migrationClass},\n`],
    ),
    '.dependency-cruiser.cjs': withLines('.dependency-cruiser.cjs', [AFTER_ARROWS, `    arrow('${name}'),\n`]),
  };
}

function withLines(path, ...additions) {
  return additions.reduce((text, [place, line]) => {
    if (!place.test(text)) throw new BadName(`${path} has no place any more for the line: ${line.trim()}`);
    return text.replace(place, line);
  }, read(path));
}

function write(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
}

const report = (files) => `${Object.keys(files)
  .map((path) => `  ${path}`)
  .join('\n')}

What to do next (docs/adding-a-resource.md tells more):
  1. Say in the migration, entity, DTO and service what a record has besides its name and status.
  2. Put its line in src/app.module.ts where documents are to list it.
  3. npm run contracts     the documents under docs/
  4. npm run check         types, style, who imports whom
  5. npm run e2e && npm run laws`;

function main() {
  const option = { type: 'string' };
  const options = { singular: option, path: option, capability: option, event: option, help: { type: 'boolean' } };
  const {
    values: { help, ...given },
    positionals,
  } = parseArgs({ options, allowPositionals: true });
  if (help) return console.log(HELP);
  if (positionals.length !== 1) throw new BadName('One NAME is needed: the plural that the folder is to be called. --help says more.');
  const files = plan(namesOf(positionals[0], given));
  write(files);
  console.log(report(files));
}

try {
  main();
} catch (error) {
  // What is wrong with the call is one line; anything else is a mistake of this script, and shows its place.
  if (!(error instanceof BadName) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`new:resource: ${error.message}`);
  process.exitCode = 1;
}
