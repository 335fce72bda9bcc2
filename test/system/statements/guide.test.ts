import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { aKey, anOrganization } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { createDatabase } from '../../support/database.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { GuideShell } from '../../support/guide-shell.js';
import { JANUARY } from '../../support/statements.js';

const blocks = new GuideBlocks('bank-statements', 'redaction');

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let shell: GuideShell;
let api: Client;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url });
  shell = await GuideShell.open({ DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
  const organization = await anOrganization(app, { name: 'Example Accountants' });
  const { key } = await aKey(app, organization.id, { environment: 'live' });
  api = new Client(app.url, key);
  Object.assign(shell.variables, { CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key });
  // The guide names the organization by its short name.
  shell.variables.SLUG = organization.slug;
});
afterAll(async () => {
  await shell.close();
  await app.close();
  await database.drop();
});

const paste = (block: string) => shell.paste(block.replaceAll('example-accountants', '"$SLUG"'));

it('the first command imports a statement and waits until it is redacted', async () => {
  const project = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };
  shell.variables.PROJECT_ID = (await api.post('/v1/claim-projects', project)).body.id as string;
  await shell.file('january.csv', JANUARY);
  await paste(blocks.take('sh', 'statement import january.csv'));
  expect((await api.get('/v1/bank-statements')).body.data).toMatchObject([
    { projectId: shell.variables.PROJECT_ID, redactionStatus: 'succeeded' },
  ]);
});

it('the layout of the example reads the file beside it, is kept, listed and removed', async () => {
  await shell.file('card.json', blocks.take('json', '"Corner card"'));
  await shell.file('card.csv', blocks.take('csv'));
  const output = await paste(blocks.take('sh', '--layout card.json'));
  expect(output).toContain('2026-04-03');
  expect(output).toContain('Corner card');
  expect((await api.get('/v1/bank-statements')).body).toMatchObject({ pagination: { total: 2 } });
});

it('a layout is kept by the API as the guide says', async () => {
  const layout = JSON.parse(blocks.take('json', '"Corner bank"')) as object;
  expect(await api.post('/v1/statement-layouts', layout)).toMatchObject({ status: 201, body: layout });
});

it('what a customer knows better is entered, listed and removed', async () => {
  expect(await paste(blocks.take('sh', 'org counterparties'))).toContain('company');
});

it('a file is imported by the API as the guide says, and so is its feed', async () => {
  await shell.file('january.csv', JANUARY.replace('-89.90', '-89.91'));
  const sent = JSON.parse(await paste(blocks.take('sh', '-F file=@january.csv'))) as object;
  expect(sent).toMatchObject({ fileName: 'january.csv', redactionStatus: 'pending' });
  await shell.file('february.csv', JANUARY.replaceAll('2026-01', '2026-02'));
  const body = JSON.parse(await paste(blocks.take('sh', '--data-binary @february.csv'))) as object;
  expect(body).toMatchObject({ fileName: 'february.csv', redactionStatus: 'pending' });
  const feed = JSON.parse(blocks.take('json', '"openingBalance"')) as object;
  expect(await api.post('/v1/bank-statements', feed)).toMatchObject({ status: 201, body: { fileName: 'bank_feed' } });
});

it('every block of the guide was run', () => {
  expect(blocks.left).toEqual([]);
});
