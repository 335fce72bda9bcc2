import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { filesOf, packedFrom } from '../../../src/modules/reports/outputs/fixtures/evidence.js';
import { TEST_ENCRYPTION_KEY } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { freshInstall, type FreshInstall } from '../../support/fresh-install.js';
import { GuideBlocks } from '../../support/guide-blocks.js';
import { GuideShell } from '../../support/guide-shell.js';

const PATIENCE_MS = 120_000;
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
/** Invented rates in the form of the central bank. */
const HISTORY = 'Date,USD,CHF,\n2026-01-09,1.0900,0.9400,\n2026-01-08,1.0855,N/A,\n';
const blocks = new GuideBlocks('claim-reports', 'report-files', 'claim-forms');

let fresh: FreshInstall;
let shell: GuideShell;
beforeAll(async () => {
  fresh = await freshInstall();
  shell = await GuideShell.open({
    DATABASE_URL: fresh.app.databaseUrl,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    CLAIMS_BASE_URL: fresh.app.url,
    CLAIMS_API_KEY: fresh.made.keys.test,
    REPORT_ID: fresh.made.records!.report_id!,
  });
}, PATIENCE_MS);
afterAll(async () => {
  await shell.close();
  await fresh.close();
});

const documents = blocks.takeAll('json').map((text) => JSON.parse(text) as object);

it.each(documents.filter((document) => 'rules' in document))('the API accepts the rules of example %#', async (sourceMapping) => {
  const answer = await fresh.api.post('/v1/expense-categories', { code: crypto.randomUUID().slice(0, 8), name: 'Example', sourceMapping });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.sourceMapping).toEqual(sourceMapping);
});

it.each(documents.filter((document) => !('rules' in document)))('the API accepts the filter or options of example %#', async (document) => {
  const named = 'include' in document ? { categoryFilter: document } : { outputOptions: document };
  const answer = await fresh.api.post('/v1/report-configurations', { name: crypto.randomUUID(), ...PERIOD, ...named });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body).toMatchObject(named);
});

it('the download has the file that the run states', async () => {
  await shell.paste(blocks.take('sh', 'outputs/pdf'));
  const [name] = (await readdir(shell.folder)).filter((file) => file.endsWith('.pdf'));
  const sha256 = createHash('sha256')
    .update(await readFile(join(shell.folder, name!)))
    .digest('hex');
  const { result } = (await fresh.api.get(`/v1/claim-reports/${shell.variables.REPORT_ID}`)).body;
  expect(result.outputs).toContainEqual(expect.objectContaining({ format: 'pdf', sha256 }));
});

it('an operator imports reference rates', async () => {
  await shell.file('eurofxref-hist.csv', HISTORY);
  expect(await shell.paste(blocks.take('sh', 'rates import'))).toContain('3 added');
});

it('a pack that was changed is told as the guide shows it, offline and by the run', async () => {
  // On a busy machine the first start does not wait for it.
  const statementPath = `/v1/bank-statements/${fresh.made.records!.statement_id}`;
  await eventually(async () => expect((await fresh.api.get(statementPath)).body.redactionStatus).toBe('succeeded'), PATIENCE_MS);
  const { body: configuration } = await fresh.api.post('/v1/report-configurations', {
    name: 'Evidence',
    ...PERIOD,
    outputOptions: { formats: ['evidence'] },
  });
  const { body: run } = await fresh.api.post('/v1/claim-reports', { reportConfigurationId: configuration.id });
  const path = `/v1/claim-reports/${run.id}`;
  await eventually(async () => expect((await fresh.api.get(path)).body.status).toBe('succeeded'), PATIENCE_MS);
  const answer = await fetch(`${fresh.app.url}${path}/outputs/evidence`, { headers: { 'X-API-Key': fresh.made.keys.test } });
  const files = filesOf(Buffer.from(await answer.arrayBuffer()));
  const [statement] = [...files.keys()].filter((name) => name.startsWith('statements/'));
  files.set(statement!, files.get('report.pdf')!);
  await writeFile(join(shell.folder, 'changed.zip'), packedFrom(files));
  const told = await shell.paste('npx claims report verify changed.zip || true');
  for (const line of blocks.take('text').trimEnd().split('\n')) {
    const form = line
      .replaceAll('.', '\\.')
      .replace(/ [0-9a-f]+…/g, ' [0-9a-f-]+')
      .replace(/S\d/, 'S\\d');
    expect(told).toMatch(new RegExp(`^${form}$`, 'm'));
  }
});

it('every block of the guide was run or sent', () => {
  expect(blocks.left).toEqual([]);
});
