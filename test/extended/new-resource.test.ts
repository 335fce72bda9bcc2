import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const TIMEOUT_MS = 900_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = [
  'src',
  'codes',
  'words',
  'layouts',
  'forms',
  'docs/guides.json',
  'templates',
  'wording',
  'migrations',
  'scripts',
  'tools',
  'test/support',
  'test/laws',
  'test/extension-api.ts',
  'CHANGELOG.md',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  '.oxlintrc.json',
  '.oxfmtrc.json',
  '.dependency-cruiser.cjs',
];

/** A copy of the project, in which the test generates a resource. */
let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'claims-copy-'));
  for (const path of COPIED) await cp(join(ROOT, path), join(copy, path), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

/** Executes a program in the copy. Its tests use the database server of these tests, and one worker, because each imports all sources. */
function execute(script: string, ...args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1', TEST_DATABASE_URL: inject('templateUrl'), VITEST_MAX_WORKERS: '1' };
  const child = spawn(process.execPath, [script, ...args], { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

const generate = (...args: readonly string[]) => execute('scripts/new-resource.js', ...args);
const expectSuccess = ({ code, output }: { code: number | null; output: string }) => expect(code, output).toBe(0);
const LISTS = ['src/app.module.ts', 'migrations/index.ts', '.dependency-cruiser.cjs'];
const listsNow = () => Promise.all(LISTS.map((path) => readFile(join(copy, path), 'utf8')));

describe('npm run new:resource', () => {
  it('prints help, and is a script in package.json', async () => {
    const { code, output } = await generate('--help');
    expect([code, output]).toEqual([0, expect.stringMatching(/NAME[^]*--singular[^]*--path[^]*--capability[^]*--event[^]*--extension/)]);
    const { scripts } = JSON.parse(await readFile(join(copy, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    expect(scripts['new:resource']).toBe('node scripts/new-resource.js');
  });

  it.each([
    ['no name', [], 'Give one NAME'],
    ['two names', ['notes', 'tasks'], 'Give one NAME'],
    ['an unknown option', ['notes', '--nope'], "Unknown option '--nope'"],
    ['capitals', ['Notes'], 'must look like claim-notes'],
    ['an underscore', ['claim_notes'], 'must look like claim-notes'],
    ['a path', ['../notes'], 'must look like claim-notes'],
    ['a name that is not a plural', ['address'], 'does not look like a plural'],
    ['a capability in kebab case', ['notes', '--capability', 'claim-notes'], '--capability must look like claim_notes'],
    ['a name that is too long for its indexes', [`${'long'.repeat(12)}-notes`], 'is longer than 48 characters'],
    ['a folder that exists', ['projects'], 'src/modules/projects already exists'],
    ['a path that exists', ['notes', '--path', 'claim-projects'], 'is already used in src/'],
    ['a capability that exists', ['notes', '--capability', 'claim_projects'], 'is already used in src/'],
    ['an event that exists', ['notes', '--event', 'claim_project'], 'is already used in src/'],
    ['an extension in capitals', ['notes', '--extension', 'Mine'], '--extension must look like office-supplies'],
    ['the folder of generated documents as an extension', ['notes', '--extension', 'documents'], 'choose another name'],
    ['a folder that every extension has', ['migrations', '--extension', 'mine'], 'is a folder of every extension'],
    ['the name of a class that every resource uses', ['problems'], 'Problem is the name of a class'],
  ])('refuses %s in one line, and writes nothing', async (_what, args, reason) => {
    const before = await listsNow();
    const { code, output } = await generate(...args);
    expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringContaining(reason)]]);
    expect(await listsNow()).toEqual(before);
  });

  it(
    'generates a resource that compiles and passes oxfmt, oxlint and dependency-cruiser',
    async () => {
      const generated = await generate('office-supplies', '--capability', 'expense_office_supplies');
      expectSuccess(generated);
      const before = await outsideExtensions();
      const added = await generate('suppliers', '--extension', 'purchasing');
      expectSuccess(added);
      expectSuccess(await generate('order-notes', '--extension', 'purchasing'));
      expect(await outsideExtensions()).toEqual(before);
      expect(generated.output).toContain('What to do next');
      const written = [...(generated.output + added.output).matchAll(/^ {2}(\S+\.(?:c?[jt]s|tsx))$/gm)].map(([, path]) => path!);
      expect(written).toEqual(expect.arrayContaining([...LISTS, 'src/modules/office-supplies/office-supplies.service.ts']));
      // Only what was generated: everything else is checked in the project itself.
      const checks = await Promise.all([
        execute('node_modules/oxlint/bin/oxlint', ...written),
        execute('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src', 'migrations', '--output-type', 'err'),
        execute('node_modules/oxfmt/bin/oxfmt', '--list-different', ...written),
      ]);
      for (const check of checks) expectSuccess(check);
    },
    TIMEOUT_MS,
  );

  it(
    'generates resources that keep all promises and laws, as they are and with fields of every form',
    async () => {
      expectSuccess(await generate('price-tags'));
      await addFields();
      const ofExtension = ['suppliers', 'order-notes'].map((name) => `src/extensions/purchasing/test/${name}.test.ts`);
      const promises = [...['office-supplies', 'price-tags'].map((name) => `test/e2e/${name}/${name}.test.ts`), ...ofExtension];
      const laws = ['input', 'openapi', 'tools', 'idempotency'].map((name) => `test/laws/${name}.test.ts`);
      const only = ['--project', 'product', '--project', 'api', '-t', 'office.suppl|price.tag|supplier|order.note'];
      const checked = await execute('node_modules/vitest/vitest.mjs', 'run', '--cache=false', ...only, ...promises, ...laws);
      expectSuccess(checked);
      for (const file of [...promises, ...laws]) expect(checked.output).toMatch(new RegExp(`✓.* ${file} \\(`));
      expect(Number([...checked.output.matchAll(/(\d+) passed, 0 failed/g)].at(-1)?.[1])).toBeGreaterThan(60);
    },
    TIMEOUT_MS,
  );
});

it('CONTRIBUTING and the guide tell the same number of changes for a field', async () => {
  const [contributing, guide] = await Promise.all(
    ['CONTRIBUTING.md', 'docs/adding-a-resource.md'].map((path) => readFile(join(ROOT, path), 'utf8')),
  );
  const section = /\n## A field\n([^]*?)\n## /.exec(guide!)![1]!;
  const steps = section.match(/^\d+\. /gm)!.length;
  const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];
  expect(section.trim()).toMatch(new RegExp(`^${words[steps]!} small changes`, 'i'));
  expect(contributing).toContain(`A field is ${words[steps]!} small changes`);
});

describe('npm run upgrade:check', () => {
  it(
    'names what an extension uses and the product no longer has, what it imports past the API, and names that are taken',
    async () => {
      await edit('src/extension-api.ts', ['export { RecordPages, type Columns }', 'export { type Columns }']);
      await edit('CHANGELOG.md', ['- ', '- Extensions: `RecordPages` has ended, use `Facts`.\n- ']);
      const folder = 'src/extensions/purchasing/suppliers';
      await edit(`${folder}/suppliers.repository.ts`, [
        'import ',
        "import { newId } from '../../../kernel/ids.js';\nexport const id = newId;\nimport ",
      ]);
      await edit(`${folder}/suppliers.controller.ts`, ["@Controller('v1/suppliers')", "@Controller('v1/claim-projects')"]);
      const { code, output } = await execute('scripts/upgrade-check.js');
      expect(code, output).toBe(1);
      expect(output).toMatch(/suppliers\.console\.tsx:\d+: .*has no exported member (?:named )?'RecordPages'/);
      expect(output).toContain('CHANGELOG.md: Extensions: `RecordPages` has ended, use `Facts`.');
      expect(output).toContain(`${folder}/suppliers.repository.ts:1: imports src/kernel/ids.ts`);
      expect(output).toContain('The path v1/claim-projects is declared by the product (src/modules/projects/projects.controller.ts)');
      const lines = output.split('\n').filter((line) => /^ {2}\S/.test(line));
      expect(lines.filter((line) => !/RecordPages|imports src\/kernel|v1\/claim-projects/.test(line))).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

/** Each file that is no part of an extension, with its text. */
async function outsideExtensions(): Promise<Map<string, string>> {
  const files = (await Promise.all(COPIED.map((path) => filesBelow(path)))).flat().filter((path) => !path.startsWith('src/extensions/'));
  return new Map(await Promise.all(files.map(async (path) => [path, await readFile(join(copy, path), 'utf8')] as const)));
}

async function filesBelow(path: string): Promise<string[]> {
  if (!(await stat(join(copy, path))).isDirectory()) return [path];
  const entries = await readdir(join(copy, path), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(copy, join(entry.parentPath, entry.name)));
}

/** What docs/adding-a-resource.md says of a field, for fields of every form: the migration, a line for each, and the test. */
async function addFields(): Promise<void> {
  const folder = 'src/modules/price-tags';
  const migration = (await readdir(join(copy, 'migrations'))).find((name) => name.endsWith('-create-price-tags.ts'))!;
  await edit(`migrations/${migration}`, [
    'name text NOT NULL,',
    `name text NOT NULL, country text NOT NULL, price numeric NOT NULL, currency text NOT NULL,
        contact text, code text NOT NULL, stars int, discount numeric NOT NULL, deposit json, steps json NOT NULL,`,
  ]);
  await edit(
    `${folder}/price-tags.dto.ts`,
    [
      'Changes, OneOf, Text }',
      `Changes, Country, Currency, Email, field, Integer, ListOf, Money, MoneyWithCurrency,
  OneOf, Percent, Text, Uuid, type CurrencyAmount }`,
    ],
    [
      'export class CreatePriceTagDto {',
      `const Stars = (about: string): PropertyDecorator =>
  field({
    about: { about, example: 3, optional: true, nullable: true, default: null },
    schema: { type: 'integer', minimum: 1, maximum: 5 },
    check: (value) => ([1, 2, 3, 4, 5].includes(value as number) ? undefined : { code: 'out_of_range', message: 'must be 1 to 5' }),
  });

/** A price from a quantity. */
class PriceStep {
  @Integer({ about: 'From how many.', min: 1, example: 10 }) from: number;
  @Money({ about: 'Price of each.' }) price: string;
  @Uuid({ about: 'List that it is from.', optional: true }) listId?: string;
}

export class CreatePriceTagDto {
  @Percent({ about: 'Discount.' }) discount: string;
  @MoneyWithCurrency({ about: 'Deposit.', optional: true, nullable: true, default: null }) deposit?: CurrencyAmount | null;
  @ListOf(PriceStep, { about: 'Prices of larger quantities.', max: 3, optional: true, default: [] }) steps?: PriceStep[];
  @Country({ about: 'Country of the shop.' }) country: string;
  @Money({ about: 'Price.' }) price: string;
  @Currency({ about: 'Currency of the price.' }) currency: string;
  @Email({ about: 'Whom to ask.', optional: true, nullable: true, default: null }) contact?: string | null;
  @Text({ about: 'Code of the shelf.', min: 1, max: 2, example: 'A7' }) code: string;
  @Stars('How good it is.') stars?: number | null;
`,
    ],
  );
  await edit(
    `${folder}/price-tags.service.ts`,
    ['searchKeyOf(row.name)', 'searchKeyOf(row.name, row.code)'],
    ['searchKeyOf(after.name)', 'searchKeyOf(after.name, after.code)'],
  );
  await edit(
    'test/e2e/price-tags/price-tags.test.ts',
    [
      "create: { name: 'First',",
      "create: { name: 'First', country: 'DE', price: '12.50', currency: 'EUR', contact: 'a@example.com', code: 'B1', stars: 5," +
        "discount: '12.50', deposit: { amount: '0.10', currency: 'EUR' }, steps: [{ from: 10, price: '11' }, { from: 20, price: '9.0' }],",
    ],
    [
      "change: { name: 'Second',",
      "change: { name: 'Second', country: 'AT', price: '-3', currency: 'USD', contact: 'b@example.com', code: 'B2', stars: 1," +
        "discount: '100', deposit: { amount: '-1', currency: 'JPY' }, steps: [],",
    ],
    ["defaults: { status: 'active' }", "defaults: { contact: null, stars: null, deposit: null, steps: [], status: 'active' }"],
    ['nullable: []', "nullable: ['contact', 'stars', 'deposit']"],
    ["search: ['name']", "search: ['name', 'code']"],
  );
}

async function edit(path: string, ...replacements: readonly (readonly [string, string])[]): Promise<void> {
  let text = await readFile(join(copy, path), 'utf8');
  for (const [from, to] of replacements) {
    expect(text, `${path} no longer has ${from}`).toContain(from);
    text = text.replace(from, to);
  }
  await writeFile(join(copy, path), text);
}
