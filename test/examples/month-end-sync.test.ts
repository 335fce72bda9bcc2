import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Claims } from '../../client/src/index.js';
import type { TestApp } from '../support/app.js';
import { aKey, aTenant } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { anExample } from '../support/running-examples.js';
import { startWorking } from '../support/statements.js';
import { startFaultyProxy } from '../support/faulty-proxy.js';

const PATIENCE_MS = 120_000;
const PERIOD = { periodStart: '2026-01-01', periodEnd: '2026-12-31' };
const HEAD = 'reference,name,period_start,period_end,status';
const row = (number: number, name = `Office ${number}`) => `C-${number},${name},2026-01-01,2026-12-31,active`;

let app: TestApp;
let example: Awaited<ReturnType<typeof anExample>>;
beforeAll(async () => {
  app = await startWorking();
  example = await anExample('month-end-sync');
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await example.remove();
});

/** An organization with a file of its own. */
async function aSync() {
  const { key, organization } = await aTenant(app);
  const claims = new Claims({ apiKey: key, baseUrl: app.url });
  const file = `${organization.id}.csv`;
  const write = (...rows: string[]) => writeFile(join(example.folder, file), `${[HEAD, ...rows].join('\n')}\n`);
  const start = (url = app.url, args = ['sync.js', file]) => example.start(args, { CLAIMS_BASE_URL: url, CLAIMS_API_KEY: key });
  const names = async () => {
    const found = [];
    for await (const { name, clientReference } of claims.projects.list()) found.push(`${clientReference} ${name}`);
    return found.sort();
  };
  return { file, claims, organization, key, write, start, names };
}

it('creates what is missing, updates what has changed, and changes nothing the second time', async () => {
  const { write, start, names } = await aSync();
  await write(row(1), row(2), row(3, '"Kiel, ""North"""'));
  expect(await start().ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^3 created, 0 updated, 0 unchanged, 0 refused$/m) });
  expect(await start().ended).toMatchObject({ code: 0, stdout: '0 created, 0 updated, 3 unchanged, 0 refused\n' });
  await write(row(1), row(2, 'Hamburg'), row(4));
  const third = await start().ended;
  expect(third.stdout).toBe('updated Hamburg (C-2)\ncreated Office 4 (C-4)\n1 created, 1 updated, 1 unchanged, 0 refused\n');
  expect(await names()).toEqual(['C-1 Office 1', 'C-2 Hamburg', 'C-3 Kiel, "North"', 'C-4 Office 4']);
  // A change back and forth within the time in which keys are remembered.
  for (const name of ['Bremen', 'Hamburg', 'Bremen']) {
    await write(row(2, name));
    expect((await start().ended).stdout).toContain(`updated ${name} (C-2)`);
    expect(await names()).toContain(`C-2 ${name}`);
  }
});

it('names a row that is refused with its line, carries out the others, and ends with 1', async () => {
  const { file, write, start, names } = await aSync();
  await write(
    row(1),
    '"C-2","two\nlines",2026-02-30,2026-12-31,active',
    'C-3,Kiel,2026-01-01',
    row(1),
    'C-5,,2026-01-01,2026-12-31,active',
    row(6),
  );
  const { code, stdout, stderr } = await start().ended;
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(new RegExp(`^${file}:3: periodStart .*calendar date`)),
    `${file}:5: it has 3 fields, and the header has 5`,
    `${file}:6: C-1 is in line 2 already`,
    `${file}:7: name is missing`,
  ]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^2 created, 0 updated, 0 unchanged, 4 refused$/m);
  expect(await names()).toEqual(['C-1 Office 1', 'C-6 Office 6']);
});

it('leaves no doubles when it is killed while an answer is lost, and started again', async () => {
  const { write, start, names } = await aSync();
  const rows = Array.from({ length: 8 }, (_none, number) => row(number + 1));
  await write(...rows);
  // The list, four creates, and a fifth that is carried out and never answered.
  const network = await startFaultyProxy(app.url, (number) => (number === 5 ? 'silence' : undefined));
  const running = start(network.url);
  await eventually(async () => expect(await names()).toHaveLength(5));
  expect((await running.kill()).code).toBeNull();
  await network.close();
  const { code, stdout } = await start().ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^3 created, 0 updated, 5 unchanged, 0 refused$/m)]);
  expect(await names()).toHaveLength(8);
});

it('refuses a row whose reference several projects have', async () => {
  const { file, claims, write, start } = await aSync();
  for (const name of ['One', 'Two']) await claims.projects.create({ name, clientReference: 'C-1', ...PERIOD });
  await write(row(1));
  expect(await start().ended).toMatchObject({ code: 1, stderr: `${file}:2: there are 2 projects with its reference\n` });
});

it('ends at once when the key is wrong', async () => {
  const { file, write } = await aSync();
  await write(row(1));
  const { code, stderr } = await example.start(['sync.js', file], { CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: 'pk_test_wrong' }).ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining('credential_invalid')]);
});

it('makes a claim of the files of a bank, and imports none of them twice', async () => {
  const { claims, write, start } = await aSync();
  await write(row(1));
  await start().ended;
  await claims.categories.create({
    code: 'TRAIN',
    name: 'Train',
    sourceMapping: { rules: [{ claimablePercent: 100, all: [{ field: 'description', op: 'contains', value: 'train' }] }] },
  });
  const january = 'Date,Description,Amount,Currency\n2026-01-05,Train to Hamburg,-89.90,EUR\n2026-01-12,Coffee,-12.40,EUR\n';
  await writeFile(join(example.folder, 'january.csv'), january);
  for (const _time of [1, 2]) {
    const { code, stdout, stderr } = await start(app.url, ['claim.js', 'C-1', 'january.csv']).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'january.csv: 2 lines, plausible',
      'Office 1: 89.90 EUR can be claimed.',
      'The report is C-1.pdf.',
      '',
    ]);
  }
  expect((await readFile(join(example.folder, 'C-1.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
  expect((await claims.statements.list().page()).pagination.total).toBe(1);
  await writeFile(join(example.folder, 'wrong.csv'), january.replace('-12.40', 'twelve'));
  const failed = await start(app.url, ['claim.js', 'C-1', 'wrong.csv']).ended;
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/wrong\.csv was not read: Line 3 has no valid amount\./)]);
  expect((await start(app.url, ['claim.js', 'C-9', 'january.csv']).ended).stderr).toBe('There are 0 projects with the reference C-9.\n');
});

it('closes a claim from the file of a bank to a signed pack that anybody can check', async () => {
  const { claims, organization, key, write, start } = await aSync();
  await write(row(1));
  await start().ended;
  await claims.categories.create({
    code: 'TRAIN',
    name: 'Train',
    sourceMapping: { rules: [{ claimablePercent: 100, all: [{ field: 'description', op: 'contains', value: 'train' }] }] },
  });
  const bank = 'Date,Description,Amount,Currency\n2026-01-05,Train to Hamburg,-89.90,EUR\n2026-01-12,Coffee,-12.40,EUR\n';
  await writeFile(join(example.folder, 'bank.csv'), bank);
  expect((await start(app.url, ['claim.js', 'C-1', 'bank.csv']).ended).code).toBe(0);
  const approver = (await aKey(app, organization.id)).key;
  const environment = { CLAIMS_BASE_URL: app.url, CLAIMS_API_KEY: key, CLAIMS_APPROVER_KEY: approver };
  const alone = await example.start(['close.js', 'C-1'], { ...environment, CLAIMS_APPROVER_KEY: key }).ended;
  expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('another one approves it')]);
  const { code, stdout, stderr } = await example.start(['close.js', 'C-1'], environment).ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^approved by .+\nfinal by .+\nThe signed evidence pack is C-1\.zip/);
  const checked = await runCommand(['report', 'verify', join(example.folder, 'C-1.zip'), '--offline'], {});
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('signed by') as string });
});
