/** `npm run new:resource NAME` writes the first draft of a resource, like src/modules/projects. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exportsOf, throughTheApi } from './extension-imports.js';
import { BadName, camel, fillIn, formsOf, namesOf, pascal, requireKebab } from './resource-names.js';

const HELP = `npm run new:resource NAME [-- options]

Writes a resource with a name and a status: src/modules/NAME with its pages of the console, a migration and a test, and registers it.
NAME is the name of the folder: a plural in kebab case, such as claim-notes.

  --singular NAME    the singular                                  (claim-note)
  --path NAME        the path of the collection below /v1          (claim-notes)
  --capability NAME  the name in scopes, operations and the table  (claim_notes)
  --event NAME       the name in events and tools                  (claim_note)
  --extension NAME   write it into the extension src/extensions/NAME, and nothing outside it: see docs/extending.md
  --help             show this text

If the API uses another name than the folder, --capability is enough:
  npm run new:resource categories -- --capability expense_categories`;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATES = join(ROOT, 'scripts/templates');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Where the parts of a resource are: in the product, or in an extension. */
const IN_PRODUCT = { resources: 'src/modules', migrations: 'migrations', tests: 'test/e2e' };
const folderOf = (extension) => `src/extensions/${extension}`;
const inExtension = (extension) => ({
  resources: folderOf(extension),
  migrations: `${folderOf(extension)}/migrations`,
  tests: `${folderOf(extension)}/test`,
});
const APIS = ['src/extension-api.ts', 'test/extension-api.ts'];

/** The text of every file to write, by path. Throws if anything is wrong, so that all is written or nothing. */
function planFiles(names, extension) {
  const places = extension === undefined ? IN_PRODUCT : inExtension(extension);
  refuseTaken(names, places);
  const timestamp = Math.max(Date.now(), lastMigration(places) + 1000);
  const migration = `${timestamp}-create-${names.path}`;
  const migrationClass = `Create${pascal(names.capability)}${timestamp}`;
  const files = {};
  for (const { name: template } of readdirSync(TEMPLATES, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const path = pathOf(template, names, migration, places);
    if (existsSync(join(ROOT, path))) throw new BadName(`${path} already exists.`);
    const text = readFileSync(join(TEMPLATES, template), 'utf8');
    const own = extension === undefined ? text : ofExtension(text, pathOf(template, names, migration, IN_PRODUCT), path);
    files[path] = fillIn(own, formsOf(names, timestamp));
  }
  const lists = extension === undefined ? listsWith : listsOfExtension(extension);
  return { ...files, ...lists(names, migration, migrationClass) };
}

function pathOf(template, names, migration, { resources, migrations, tests }) {
  if (template === 'create-sample-widgets.ts') return `${migrations}/${migration}.ts`;
  // The product has a folder of tests for each module.
  if (template === 'widgets.test.ts') return `${tests}${tests === IN_PRODUCT.tests ? `/${names.name}` : ''}/${names.name}.test.ts`;
  const folder = template.endsWith('.tsx') ? '/console' : '';
  return `${resources}/${names.name}${folder}${fillIn(`/${template}`, formsOf(names, 0))}`;
}

/** A template, with its imports of the product replaced by one of the published API. */
function ofExtension(text, from, to) {
  if (from.startsWith('migrations/')) return text;
  const api = APIS[from.startsWith('test/') ? 1 : 0];
  return throughTheApi(text, { from, to, api, exported: exportsOf(read(api), api) });
}

/** The names must not be used by another resource or by a class that the templates import. */
function refuseTaken({ name, singular, path, capability, event }, { resources }) {
  if (existsSync(join(ROOT, resources, name))) throw new BadName(`${resources}/${name} already exists.`);
  if (resources !== IN_PRODUCT.resources && OWN_FOLDERS.includes(name)) throw new BadName(`${name} is a folder of every extension.`);
  const taken = [`@Controller('v1/${path}')`, `@Entity('${capability}')`, `'${capability}.list'`, `'${event}.created'`];
  for (const file of readdirSync(join(ROOT, 'src'), { recursive: true }).filter((entry) => entry.endsWith('.ts'))) {
    const text = read(join('src', file));
    const found = taken.find((candidate) => text.includes(candidate));
    if (found) throw new BadName(`${found} is already used in src/${file}.`);
  }
  const templates = readdirSync(TEMPLATES)
    .filter((template) => template.endsWith('.ts') || template.endsWith('.tsx'))
    .map((template) => readFileSync(join(TEMPLATES, template), 'utf8'))
    .join('\n');
  const used = [name, singular].map(pascal).find((word) => new RegExp(`\\b${word}\\b`).test(templates));
  if (used) throw new BadName(`${used} is the name of a class that every resource uses: choose another name.`);
}

/** What an extension has beside its resources. */
const OWN_FOLDERS = ['migrations', 'docs', 'test'];

const migrationFiles = ({ migrations }) =>
  existsSync(join(ROOT, migrations)) ? readdirSync(join(ROOT, migrations)).filter((file) => /^\d+-/.test(file)) : [];
const lastMigration = (places) => Math.max(0, ...migrationFiles(places).map((file) => Number.parseInt(file, 10)));

/** The declaration of the extension with the resource, and the list of extensions with it if it is new. */
const listsOfExtension =
  (extension) =>
  ({ name, capability }, migration, migrationClass) => {
    const [path, variable, module] = [`${folderOf(extension)}/extension.ts`, `${camel(extension)}Extension`, `${pascal(name)}Module`];
    const isNew = !existsSync(join(ROOT, path));
    const protection = `${folderOf(extension)}/docs/data-protection.md`;
    const declared = withListed(
      isNew ? newExtension(extension, variable) : read(path),
      path,
      ['migrations', `import { ${migrationClass} } from './migrations/${migration}.js';\n`, migrationClass],
      ['modules', `import { ${module} } from './${name}/index.js';\n`, module],
    );
    const always = { [path]: declared, [protection]: withTable(protection, capability) };
    if (!isNew) return always;
    const list = 'src/extensions/index.ts';
    const added = ['readonly Extension[] =', `import { ${variable} } from './${extension}/extension.js';\n`, variable];
    return { ...always, [list]: withListed(read(list), list, added) };
  };

/** The page that says of every column that holds text whether it may be personal, with the new table. A law holds it. */
function withTable(path, table) {
  const before = existsSync(join(ROOT, path))
    ? read(path)
    : '# Data protection\n\n| Table | May be personal | Not personal | Kept |\n| --- | --- | --- | --- |\n';
  const row = `| \`${table}\` | \`name\`, \`search_key\` | \`environment\`, \`status\` | Until the organization is erased |`;
  return `${before.trimEnd()}\n${row}\n`;
}

const newExtension = (name, variable) => `import { declareExtension } from '../../extension-api.js';

export const ${variable} = declareExtension({
  name: '${name}',
  madeFor: '^${JSON.parse(read('package.json')).version}',
  modules: [],
  migrations: [],
});
`;

/** The text with each line after its last import, and the name at the end of its list. */
function withListed(text, path, ...additions) {
  return additions.reduce((before, [list, line, name]) => {
    const end = new RegExp(`(?<=\\b${list.replaceAll('[]', '\\[\\]')}:? \\[)([^\\]]*?),?\\s*(?=\\])`);
    if (!end.test(before)) throw new BadName(`${path} has no list "${list}" any more. Add this line by hand: ${line.trim()}`);
    const listed = before.replace(end, (_all, names) => (names.trim() === '' ? name : `${names}, ${name}`));
    return listed.replace(/(?<=^import .*\n)(?!import )/m, line);
  }, text);
}

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
  const { format } = await import('oxfmt');
  const options = JSON.parse(read('.oxfmtrc.json'));
  for (const [path, text] of Object.entries(files)) {
    const file = join(ROOT, path);
    const { code } = path.endsWith('.md') ? { code: text } : await format(path, text, options);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}

function requireExtension(name) {
  requireKebab('--extension', name, 'office-supplies');
  if (name === DOCUMENTS) throw new BadName(`src/extensions/${DOCUMENTS} is the folder of the generated documents: choose another name.`);
}

/** Where `npm run contracts` writes when there are extensions. */
const DOCUMENTS = 'documents';

const report = (files, extension) =>
  reportOf(
    files,
    ...(extension === undefined
      ? ['docs/adding-a-resource.md', 'src/app.module.ts', 'docs/']
      : ['docs/extending.md', `${folderOf(extension)}/extension.ts`, `src/extensions/${DOCUMENTS}/`]),
  );

const reportOf = (files, guide, list, documents) => `${Object.keys(files)
  .map((path) => `  ${path}`)
  .join('\n')}

What to do next (see ${guide}):
  1. Add the fields of a record to the migration, entity, DTO, service and console pages.
  2. Move its line in ${list} to where the documents should list it.
  3. npm run contracts     generates the documents in ${documents}
  4. npm run check         checks types, style and imports
  5. npm run e2e && npm run laws`;

async function main() {
  const option = { type: 'string' };
  const options = { singular: option, path: option, capability: option, event: option, extension: option, help: { type: 'boolean' } };
  const {
    values: { help, extension, ...given },
    positionals,
  } = parseArgs({ options, allowPositionals: true });
  if (help) return console.log(HELP);
  if (positionals.length !== 1) throw new BadName('Give one NAME: the plural name of the folder. See --help.');
  if (extension !== undefined) requireExtension(extension);
  const files = planFiles(namesOf(positionals[0], given), extension);
  await write(files);
  console.log(report(files, extension));
}

try {
  await main();
} catch (error) {
  // A wrong call is explained in one line. Anything else is a bug in this script and keeps its stack.
  if (!(error instanceof BadName) && !String(error.code).startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`new:resource: ${error.message}`);
  process.exitCode = 1;
}
