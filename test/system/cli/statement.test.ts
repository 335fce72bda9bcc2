import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GERMAN_PDF, makePdf } from '../../../src/modules/statements/formats/fixtures/pdf.js';
import { BOOK, zipped } from '../../../src/modules/statements/formats/fixtures/xlsx.js';
import type { BankStatementDto } from '../../../src/modules/statements/index.js';
import { startApp, TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { createDatabase } from '../../support/database.js';
import { startProcess } from '../../support/process.js';
import { openReports, rule } from '../../support/reports.js';
import { JANUARY, OWN_IBAN } from '../../support/statements.js';

const PATIENCE_MS = 300_000;

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, STATEMENT_TIMEOUT: '5m' };
  app = await startApp(env);
  folder = await mkdtemp(join(tmpdir(), 'claims-statements-'));
}, PATIENCE_MS);
afterAll(async () => {
  await app.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

async function aFile(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** Runs a command with --json. Expects one document on stdout, and no other output. */
async function claimsJson(args: readonly string[], code = 0) {
  const ended = await runCommand([...args, '--json'], env);
  expect([ended.code, ended.stderr], `${args.join(' ')}: ${ended.stdout}`).toEqual([code, '']);
  return JSON.parse(ended.stdout);
}

describe('an operator', () => {
  it('checks how a file would be read, without a database, and stores nothing', async () => {
    const file = await aFile('january.csv', JANUARY);
    const ended = await runCommand(['statement', 'check', file], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.split('\n').slice(0, 9)).toEqual([
      'csv, 5 lines, 2026-01-05 to 2026-01-31, plausible',
      `account ${OWN_IBAN}, EUR: 5 lines, sum -1332.40, no balances`,
      'column 1 “Date”: date',
      'column 2 “Description”: description',
      'column 3 “Amount”: amount',
      'column 4 “Currency”: currency',
      'column 5 “Counterparty”: counterparty',
      'column 6 “Account”: ownAccount',
      '1  2026-01-05  -89.90 EUR  Deutsche Bahn AG | Ticket Berlin-Hamburg',
    ]);
    const checked = JSON.parse((await runCommand(['statement', 'check', file, '--json'], {})).stdout);
    expect(checked).toMatchObject({ format: 'csv', lines: 5, accounts: [{ account: OWN_IBAN, sum: '-1332.40', ties: null }] });
  });

  it('is told why a file would be refused', async () => {
    const file = await aFile('broken.csv', 'Date,Description,Amount\n2026-04-24,Employer,$1,000.00\n');
    const ended = await runCommand(['statement', 'check', file], {});
    expect(ended).toMatchObject({ code: 1, stderr: '' });
    expect(ended.stdout).toMatch(/^row_does_not_fit: Line 2 /);
  });

  it('imports a statement and waits until it is redacted, even if no worker is running', async () => {
    const { organizationId, statement, project } = await openReports(app);
    const { id: projectId } = await project();
    const file = await aFile('january.csv', JANUARY);
    const imported = await claimsJson([
      'statement',
      'import',
      '--org',
      organizationId,
      '--environment',
      'test',
      '--file',
      file,
      '--project',
      projectId,
      '--wait',
    ]);
    expect(imported).toMatchObject({
      projectId,
      fileName: 'january.csv',
      redactionStatus: 'succeeded',
      lineCount: 5,
      accountLabel: `•••• ${OWN_IBAN.slice(-4)}`,
    });
    expect(await statement(imported.id)).toEqual(imported);
  });

  it('says the currency and the signs of a file that does not say them', async () => {
    const { organizationId } = await openReports(app);
    const file = await aFile('card.csv', 'Date,Description,Amount\n2026-01-05,Tea room,4.20\n2026-01-31,Refund,-1.00\n');
    const of = ['--org', organizationId, '--environment', 'test', '--file', file, '--wait'];
    const imported = await claimsJson(['statement', 'import', ...of, '--currency', 'gbp', '--invert']);
    expect(imported).toMatchObject({ redactionStatus: 'succeeded', currency: 'GBP', certainty: 'plausible', warnings: [] });
    const refused = await runCommand(['statement', 'import', ...of, '--currency', 'pounds'], env);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('It is not a currency such as EUR.')]);
  });

  it('imports an archive as a statement for each file, whatever their formats', async () => {
    const { organizationId, list } = await openReports(app);
    const files = { 'book.xlsx': BOOK, 'pages.pdf': await makePdf(GERMAN_PDF), 'january.csv': Buffer.from(JANUARY) };
    const path = join(folder, 'statements.zip');
    await writeFile(path, zipped(files));
    const imported = await claimsJson(['statement', 'import', '--org', organizationId, '--environment', 'test', '--file', path, '--wait']);
    expect(imported.map(({ fileName, format, redactionStatus }: BankStatementDto) => [fileName, format, redactionStatus])).toEqual([
      ['statements.zip/book.xlsx', 'xlsx', 'succeeded'],
      ['statements.zip/pages.pdf', 'pdf', 'succeeded'],
      ['statements.zip/january.csv', 'csv', 'succeeded'],
    ]);
    expect((await list()).pagination.total).toBe(3);
  });

  it('sees from the exit code and a second line that a statement cannot be read, and can retry it', async () => {
    const { organizationId } = await openReports(app);
    const file = await aFile('letter.txt', 'Dear Jane, please find enclosed nothing at all.');
    const { code, stdout, stderr } = await runCommand(
      ['statement', 'import', '--org', organizationId, '--environment', 'live', '--file', file, '--wait'],
      env,
    );
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(/^[0-9a-f-]{36} {2}failed {2}letter\.txt\nheader_not_found: [^\n]*\.\n$/);
    expect(stdout).not.toContain('Jane');
    const again = await claimsJson(['statement', 'retry', stdout.slice(0, 36), '--wait'], 1);
    expect(again).toMatchObject({ id: stdout.slice(0, 36), redactionStatus: 'failed', failure: { code: 'header_not_found' } });
  });

  it('gets a one-line error for an invalid file, project or id', async () => {
    const { organizationId } = await openReports(app);
    const there = ['statement', 'import', '--org', organizationId, '--environment', 'test'];
    const wrong = [
      [...there, '--file', '/no/such/file'],
      [...there, '--file', await aFile('a.csv', JANUARY), '--project', organizationId],
      ['report', 'show', organizationId],
    ];
    for (const args of wrong) {
      const { code, stdout, stderr } = await runCommand(args, env);
      expect([code, stdout, stderr], args.join(' ')).toEqual([1, '', expect.stringMatching(/^[^\n]+\n$/)]);
    }
  });

  it('shows, cancels and downloads reports', async () => {
    const { take, settled, category, configuration, queue, get, ended } = await openReports(app);
    await category('TRAVEL', [rule('ticket')]);
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['csv'] } });
    const unwanted = await queue();
    expect(await claimsJson(['report', 'cancel', unwanted.id])).toMatchObject({ id: unwanted.id, status: 'cancelled' });
    const worker = await startProcess({ ...env, ROLE: 'worker' });
    await settled((await take()).id);
    const { id } = await queue({ reportConfigurationId });
    await ended(id);
    await worker.stop();
    expect(await claimsJson(['report', 'show', id])).toEqual(await get(id));
    const out = join(folder, 'claim.csv');
    await writeFile(out, 'an older file that everyone can read', { mode: 0o644 });
    const { bytes } = await claimsJson(['report', 'download', id, '--format', 'csv', '--out', out]);
    expect((await readFile(out)).length).toBe(bytes);
    expect(await readFile(out, 'utf8')).toContain('TRAVEL');
    // Only its owner may read it.
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });
});
