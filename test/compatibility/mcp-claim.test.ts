import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApp } from '../support/app.js';
import { aKey, aTenant } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { ScriptedModel } from '../support/scripted-model.js';
import { startWorking } from '../support/statements.js';
import { connectTools } from '../support/tools.js';

const MAX_CALLS = 12;
const MAX_TOKENS = 6000;
const PATIENCE_MS = 120_000;
const CLAIMS = '?tools=claims';
const PERIOD = { period_start: '2026-01-01', period_end: '2026-03-31' };
const BOOKINGS = [
  { bookedOn: '2026-01-05', amount: '-89.90', description: 'Train to Hamburg', counterparty: 'Nordbahn AG' },
  { bookedOn: '2026-01-12', amount: '-12.40', description: 'Coffee with a client', counterparty: 'Cafe Example GmbH' },
  { bookedOn: '2026-02-02', amount: '-129.00', description: 'Train to Munich', counterparty: 'Nordbahn AG' },
];

let app: TestApp;
let folder: string;
beforeAll(async () => {
  [app, folder] = [await startWorking(), await mkdtemp(join(tmpdir(), 'claims-pack-'))];
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

interface Line {
  readonly id: string;
  readonly description: string;
}

it('a model makes a final claim of an account and a drive in at most twelve calls and 6,000 tokens', async () => {
  const { key, organization } = await aTenant(app);
  const model = await ScriptedModel.of(await connectTools(app, { 'X-API-Key': key }, CLAIMS));
  const { id: project_id } = await model.call(model.find(/Create a claim project/), { name: 'Berlin office', ...PERIOD });
  const rail = { rules: [{ claimablePercent: 100, all: [{ field: 'description', op: 'contains', value: 'train' }] }] };
  const category = { code: 'TRAVEL', name: 'Rail travel', project_id, source_mapping: rail };
  const { id: categoryId } = await model.call(model.next('create_expense_category'), category);
  const wanted = { name: 'Q1', project_id, ...PERIOD, output_options: { formats: ['evidence'] } };
  const { id: report_configuration_id } = await model.call(model.next('create_report_configuration'), wanted);
  const bookings = { project_id, currency: 'EUR', opening_balance: '1000.00', closing_balance: '768.70', lines: BOOKINGS };
  const statement = await model.wait(model.next('import_bank_statement'), bookings);
  expect(statement).toMatchObject({ redactionStatus: 'succeeded', certainty: 'proven', lineCount: 3 });
  const run = model.next('create_claim_report');
  const first = await model.wait(run, { project_id, report_configuration_id });
  expect(first).toMatchObject({ status: 'succeeded', result: { totals: { claimable: '218.90' } } });
  const lines = await model.list(model.find(/uncategorised/), { report_id: first.id, outcome: 'uncategorised' });
  const coffee = (lines as unknown as Line[]).find(({ description }) => description.startsWith('Coffee'))!;
  const decision = { line_ids: [coffee.id], outcome: 'claimed', parts: [{ categoryId, claimablePercent: '50' }], reason: 'Half private' };
  await model.call(model.next('decide_claim_lines'), decision);
  const drive = { project_id, category_id: categoryId, name: 'Drive to Kiel', incurred_on: '2026-03-10', rate: '0.30', currency: 'EUR' };
  const item = { ...drive, quantity: '100', unit: 'km', rate_source: 'Travel policy' };
  expect(await model.call(model.find(/cost that no bank statement has/), item)).toMatchObject({ amount: '30.00' });
  const second = await model.wait(run, { project_id, report_configuration_id });
  expect(second).toMatchObject({ status: 'succeeded', result: { totals: { claimable: '255.10' } } });

  const close = model.next('close_claim');
  const report = { report_id: second.id as string };
  await model.call(close, { ...report, state: 'reviewed' });
  expect(await model.refused(close, { ...report, state: 'approved' })).toMatch(/another one approves/);
  const other = await ScriptedModel.of(await connectTools(app, { 'X-API-Key': (await aKey(app, organization.id)).key }, CLAIMS));
  await other.list(other.find(/how far a claim is/));
  await other.call(other.next('close_claim'), { ...report, state: 'approved' });
  expect(await model.call(close, { ...report, state: 'final' })).toMatchObject({ state: 'final' });

  const pack = await fetch(`${app.url}/v1/claim-reports/${report.report_id}/outputs/evidence`, { headers: { 'X-API-Key': key } });
  await writeFile(join(folder, 'claim.zip'), Buffer.from(await pack.arrayBuffer()));
  const checked = await runCommand(['report', 'verify', join(folder, 'claim.zip'), '--offline'], {});
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('signed by') as string });

  const calls = model.calls.filter(({ text }) => !text.includes('another one approves'));
  const closed = [...calls, ...other.calls.filter(({ tool }) => tool === 'close_claim')];
  const spent = closed.map(
    ({ inputs: { lines: _bookings, ...inputs }, text }) => encode(JSON.stringify(inputs)).length + encode(text).length,
  );
  const tokens = spent.reduce((sum, one) => sum + one, 0);
  console.log(
    `A claim: ${closed.length} calls, ${tokens} tokens: ${closed.map(({ tool }, index) => `${tool} ${spent[index]}`).join(', ')}.`,
  );
  expect(closed.length).toBeLessThanOrEqual(MAX_CALLS);
  expect(tokens).toBeLessThanOrEqual(MAX_TOKENS);
});
