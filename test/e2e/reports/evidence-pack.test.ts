import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { filesOf, manifestIn, packedFrom, withChangedBytes } from '../../../src/modules/reports/outputs/fixtures/evidence.js';
import { textsOfPdf } from '../../../src/modules/reports/outputs/fixtures/pdf-text.js';
import { rowsOfStatement } from '../../../src/modules/reports/outputs/fixtures/statement-rows.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { openReports, rule } from '../../support/reports.js';
import { JANES_IBAN, JANUARY, OWN_IBAN, startWorking } from '../../support/statements.js';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await startWorking();
  folder = mkdtempSync(join(tmpdir(), 'evidence-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await app.close();
});

const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });
const fileOf = (content: Uint8Array, name = `${newId()}.zip`): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

/** A run of two statements, of which the second repeats the lines of the first, with its files on disk. */
async function aRun() {
  const { taken, category, configuration, run } = await openReports(app);
  const first = await taken();
  await taken({ fileName: 'once more.csv', file: `${JANUARY}2026-02-01,February ticket,-12.00,EUR,Jane Example,${OWN_IBAN}\n` });
  await category('TRAVEL', [rule('ticket', 50)]);
  const { id: reportConfigurationId } = await configuration({
    periodEnd: '2026-02-28',
    outputOptions: { formats: ['evidence', 'pdf'], locale: 'en-GB' },
  });
  const report = await run({ reportConfigurationId });
  expect(report.result!.outputs.map(({ format }) => format)).toEqual(['pdf', 'evidence']);
  const [pack, pdf] = [join(folder, `${report.id}.zip`), join(folder, `${report.id}.pdf`)];
  expect(await claims('report', 'download', report.id, '--format', 'evidence', '--out', pack)).toMatchObject({ code: 0, stderr: '' });
  expect(await claims('report', 'download', report.id, '--format', 'pdf', '--out', pdf)).toMatchObject({ code: 0, stderr: '' });
  return { report, pack, pdf, first };
}

describe('the evidence pack of a run', () => {
  it('has the statements with the claimed lines marked, and nothing that was redacted', async () => {
    const { report, pack, pdf, first } = await aRun();
    const files = filesOf(readFileSync(pack));
    expect(files.get('report.pdf')!.equals(readFileSync(pdf))).toBe(true);
    const rows = ['S1', 'S2'].map((name) => rowsOfStatement(files.get(`statements/${name}.pdf`)!));
    expect(rows.map((each) => each.map(({ item }) => item))).toEqual([
      [1, null, null, 2, null],
      [null, null, null, null, null, 3],
    ]);
    expect(rows[1]!.map(({ rest }) => rest.at(-1)).slice(0, 5)).toEqual(Array(5).fill('repeated, counted earlier'));
    const manifest = manifestIn(files);
    expect(manifest).toMatchObject({
      run: report.id,
      madeAt: report.startedAt,
      inputsHash: report.result!.inputsHash,
      claimable: report.result!.totals.claimable,
      statements: [
        { id: first.id, sha256: first.sha256, linesRead: 5, claimedItems: 2 },
        { linesRead: 6, claimedItems: 1 },
      ],
    });
    const written = [...files].map(([path, content]) => (path.endsWith('.pdf') ? JSON.stringify(textsOfPdf(content)) : content.toString()));
    expect(written.join('\n')).toContain('Ticket Berlin-Hamburg');
    const personal = [OWN_IBAN, JANES_IBAN, 'Jane Example', 'jane@example.com'];
    for (const text of personal) expect(written.join('\n')).not.toContain(text);
    expect(statSync(pack).mode & 0o777).toBe(0o600);
  });

  it('is verified as the one that the run made, and so is its PDF', async () => {
    const { report, pack, pdf } = await aRun();
    const { claimable } = report.result!.totals;
    expect(await claims('report', 'verify', pack)).toEqual({
      code: 0,
      stderr: '',
      stdout: `${pack}: 3 files, 2 statements, claim ${claimable} EUR, as run ${report.id} made it.\n`,
    });
    const offline = await claims('report', 'verify', pack, '--offline');
    expect(offline).toMatchObject({ code: 0, stdout: expect.stringContaining(`Not compared with run ${report.id}.`) });
    const json = await claims('report', 'verify', pack, '--json');
    const sha256 = createHash('sha256').update(readFileSync(pack)).digest('hex');
    expect(JSON.parse(json.stdout)).toEqual({ ok: true, sha256, run: report.id, findings: [] });
    expect(await claims('report', 'verify', pdf, '--run', report.id)).toMatchObject({
      code: 0,
      stdout: `${pdf}: the pdf file of run ${report.id}.\n`,
    });
  });

  it('is not, and the file is named, if one byte of any of its files was changed', async () => {
    const { pack } = await aRun();
    const paths: string[] = [];
    for (const [path, changed] of withChangedBytes(readFileSync(pack))) {
      const { code, stdout, stderr } = await claims('report', 'verify', fileOf(changed));
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toContain(`${path} is damaged: `);
      paths.push(path);
    }
    expect(paths).toEqual(['report.pdf', 'statements/S1.pdf', 'statements/S2.pdf', 'manifest.json']);
  });

  it('is not if a file was replaced, also with a manifest that agrees, because the run has another hash', async () => {
    const { report, pack } = await aRun();
    const files = filesOf(readFileSync(pack));
    const other = Buffer.from(files.get('statements/S1.pdf')!);
    files.set('statements/S2.pdf', other);
    const replaced = await claims('report', 'verify', fileOf(packedFrom(files)), '--offline');
    expect(replaced).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^statements\/S2\.pdf was changed: its SHA-256 is [0-9a-f]{64} and/),
    });
    const manifest = manifestIn(files);
    const sha256 = createHash('sha256').update(other).digest('hex');
    const agreeing = manifest.files.map((file) => (file.path === 'statements/S2.pdf' ? { ...file, bytes: other.length, sha256 } : file));
    const forged = fileOf(packedFrom(files, { ...manifest, files: agreeing }));
    expect(await claims('report', 'verify', forged, '--offline')).toMatchObject({ code: 0 });
    expect(await claims('report', 'verify', forged)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(`^This is not the pack that run ${report.id} made: its SHA-256 is [0-9a-f]{64} and the run says`),
    });
  });

  it('is not if it names a run that does not exist, or one without an evidence pack', async () => {
    const { pack } = await aRun();
    const files = filesOf(readFileSync(pack));
    const run = newId();
    const missing = await claims('report', 'verify', fileOf(packedFrom(files, { ...manifestIn(files), run })), '--json');
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.stdout)).toMatchObject({ ok: false, findings: [{ message: `The database has no result of run ${run}.` }] });
    const { run: plainRun } = await openReports(app);
    const { id } = await plainRun();
    const other = await claims('report', 'verify', fileOf(packedFrom(files, { ...manifestIn(files), run: id })));
    expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining(`Run ${id} made no such file`) });
    expect(await claims('report', 'verify', pack, '--run', id)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('made no such file'),
    });
  });

  it('is refused in one line if it is no pack, or one that nobody should unpack', async () => {
    const { pack, pdf } = await aRun();
    const evil = packedFrom(new Map([...filesOf(readFileSync(pack)), ['../evil.pdf', Buffer.from('x')]]));
    const truncated = readFileSync(pack).subarray(0, -1);
    for (const file of [pdf, fileOf(evil), fileOf(truncated), fileOf(Buffer.alloc(0))]) {
      const { code, stdout, stderr } = await claims('report', 'verify', file);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^claims: [^\n]+ cannot be verified as an evidence pack\. [^\n]+\n$/);
    }
  });
});
