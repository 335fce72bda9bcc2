import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CleanCheckout, expectSuccess } from '../support/clean-checkout.js';
import { ExampleExtension } from '../support/example-extension.js';
import { recipesOfPorts } from '../support/recipes.js';

/** Laws that a table, a migration or a declaration of an extension can break. The others ask the same of each operation. */
const LAWS = ['data-protection', 'distribution', 'floors', 'migrations', 'organization-data', 'registered', 'schema-names'];

let checkout: CleanCheckout;
let example: ExampleExtension;
beforeAll(async () => {
  checkout = await CleanCheckout.make();
  example = await ExampleExtension.in(checkout);
  expectSuccess(await example.putIn());
});
afterAll(() => checkout.remove());

/** Laws that read the whole program, its documents or its database. */
const OF_ALL = [
  ...LAWS,
  'daily-jobs',
  'documents',
  'event-readers',
  'extension-api',
  'files-of-a-post',
  'indexes',
  'open-routes',
  'openapi-webhooks',
];
/** Laws of each operation: only those of the draft are asked here. */
const OF_EACH = [
  'access',
  'answers',
  'audit',
  'bound-credentials',
  'idempotency',
  'input',
  'isolation',
  'openapi',
  'pages',
  'tools',
  'traces',
  'versions',
];

it('an untouched draft of new:resource and all recipes of the guides keep every law, beside it', async () => {
  expectSuccess(await checkout.run('npm run --silent new:resource offices -- --extension facilities'));
  for (const [name, text] of await recipesOfPorts()) {
    await mkdir(dirname(checkout.path('src/extensions', name)), { recursive: true });
    // These laws also hold on a Sunday.
    await writeFile(checkout.path('src/extensions', name), text.replace('getUTCDay() === 0', 'getUTCDay() === 7'));
  }
  await example.edit('src/extensions/index.ts', /(?=\];\n)/, ', acme');
  await example.edit('src/extensions/index.ts', /(?=\n\/\*\*|\nexport)/, "import acme from './acme/extension.js';\n");
  const drafts = 'src/extensions/acme src/extensions/facilities';
  const checks = `oxlint --quiet ${drafts} && oxfmt --list-different ${drafts} && depcruise src --output-type err`;
  expectSuccess(await checkout.run(checks));
  expectSuccess(await checkout.run(example.commands[0]!));
  const settings = await readFile(checkout.path('src/extensions/documents/docs/settings.md'), 'utf8');
  expect(settings).toContain('| `S3_NEW_FILES` | true | Whether new files go to S3: true or false. |');
  const filesOf = (laws: readonly string[]) => laws.map((law) => `test/laws/${law}.test.ts`).join(' ');
  expectSuccess(await checkout.run(`vitest run --project api --project extended ${filesOf(OF_ALL)} src/extensions/facilities/test`));
  const each = await checkout.run(`vitest run --project api ${filesOf(OF_EACH)} -t 'offices?[._]|_offices?'`);
  expectSuccess(each);
  expect(Number(/(\d+) passed, 0 failed/.exec(each.output)?.[1])).toBeGreaterThan(100);
  for (const name of ['acme', 'facilities']) await rm(checkout.path('src/extensions', name), { recursive: true });
  expectSuccess(await example.putIn());
});
