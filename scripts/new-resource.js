/** `npm run new:resource NAME` writes the first draft of a resource, like src/modules/projects. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BadName, fillIn, formsOf, namesOf, pascal } from './resource-names.js';

const HELP = `npm run new:resource NAME [-- options]

Writes a resource with a name and a status: src/modules/NAME with its pages of the console, a migration and a test, and registers it.
NAME is the name of the folder: a plural in kebab case, such as claim-notes.

  --singular NAME    the singular                                  (claim-note)
  --path NAME        the path of the collection below /v1          (claim-notes)
  --capability NAME  the name in scopes, operations and the table  (claim_notes)
  --event NAME       the name in events and tools                  (claim_note)
  --help             show this text

If the API uses another name than the folder, --capability is enough:
  npm run new:resource categories -- --capability expense_categories`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATES = join(ROOT, 'scripts/templates');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** The text of every file to write, by path. Throws if anything is wrong, so that all is written or nothing. */
function planFiles(names) {
  refuseTaken(names);
  const timestamp = Math.max(Date.now(), lastMigration() + 1000);
  const forms = formsOf(names, timestamp);
  const migration = `${timestamp}-create-${names.path}`;
  const paths = { 'create-sample-widgets.ts': `migrations/${migration}.ts`, 'widgets.test.ts': `test/e2e/${names.name}.test.ts` };
  const files = {};
  for (const template of readdirSync(TEMPLATES)) {
    const folder = template.endsWith('.tsx') ? '/console' : '';
    const path = paths[template] ?? `src/modules/${names.name}${folder}${fillIn(`/${template}`, forms)}`;
    if (existsSync(join(ROOT, path))) throw new BadName(`${path} already exists.`);
    files[path] = fillIn(readFileSync(join(TEMPLATES, template), 'utf8'), forms);
  }
  return { ...files, ...listsWith(names, migration, `Create${pascal(names.capability)}${timestamp}`) };
}

/** The names must not be used by another resource or by a class that the templates import. */
function refuseTaken({ name, singular, path, capability, event }) {
  if (existsSync(join(ROOT, 'src/modules', name))) throw new BadName(`src/modules/${name} already exists.`);
  const taken = [`@Controller('v1/${path}')`, `@Entity('${capability}')`, `'${capability}.list'`, `'${event}.created'`];
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true }).filter((entry) => entry.endsWith('.ts'))) {
    const text = read(join('src', file));
    const found = taken.find((candidate) => text.includes(candidate));
    if (found) throw new BadName(`${found} is already used in src/${file}.`);
  }
  const templates = readdirSync(TEMPLATES)
    .map((template) => readFileSync(join(TEMPLATES, template), 'utf8'))
    .join('\n');
  const used = [name, singular].map(pascal).find((word) => new RegExp(`\\b${word}\\b`).test(templates));
  if (used) throw new BadName(`${used} is the name of a class that every resource uses: choose another name.`);
}

const migrationFiles = () => readdirSync(join(ROOT, 'migrations')).filter((file) => /^\d+-/.test(file));
const lastMigration = () => Math.max(0, ...migrationFiles().map((file) => Number.parseInt(file, 10)));

/** The files that list resources, with the new lines: the module, its migration, and its rule of imports. */
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
  return additions.reduce((text, [position, line]) => {
    if (!position.test(text))
      throw new BadName(`${path} has changed. Add this line by hand, or adapt scripts/new-resource.js: ${line.trim()}`);
    return text.replace(position, line);
  }, read(path));
}

/** Formats every file, because the length of the names decides where lines break. */
async function write(files) {
  // Not needed to refuse a name.
  const { format, resolveConfig } = await import('prettier');
  for (const [path, text] of Object.entries(files)) {
    const file = join(ROOT, path);
    const formatted = await format(text, { ...(await resolveConfig(file)), filepath: file });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, formatted);
  }
}

const report = (files) => `${Object.keys(files)
  .map((path) => `  ${path}`)
  .join('\n')}

What to do next (see docs/adding-a-resource.md):
  1. Add the fields of a record to the migration, entity, DTO, service and console pages.
  2. Move its line in src/app.module.ts to where the documents should list it.
  3. npm run contracts     generates the documents in docs/
  4. npm run check         checks types, style and imports
  5. npm run e2e && npm run laws`;

async function main() {
  const option = { type: 'string' };
  const options = { singular: option, path: option, capability: option, event: option, help: { type: 'boolean' } };
  const {
    values: { help, ...given },
    positionals,
  } = parseArgs({ options, allowPositionals: true });
  if (help) return console.log(HELP);
  if (positionals.length !== 1) throw new BadName('Give one NAME: the plural name of the folder. See --help.');
  const files = planFiles(namesOf(positionals[0], given));
  await write(files);
  console.log(report(files));
}

try {
  await main();
} catch (error) {
  // A wrong call is explained in one line. Anything else is a bug in this script and keeps its stack.
  if (!(error instanceof BadName) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`new:resource: ${error.message}`);
  process.exitCode = 1;
}
