import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../../src/kernel/context.js';
import { ReportOperatorService } from '../../src/modules/reports/index.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { inflatingPage, longLines, manyLines, manyPatterns, tinyElements } from '../support/hostile-work.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { openReports } from '../support/reports.js';
import { PATIENCE_MS } from '../support/statements.js';

type Reports = Awaited<ReturnType<typeof openReports>>;

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let service: TestProcess | undefined;

beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url });
});
afterEach(() => service?.kill());
afterAll(async () => {
  await app.close();
  await database.drop();
});

const start = async (env: Record<string, string> = {}): Promise<TestProcess> =>
  (service = await startProcess({ DATABASE_URL: database.url, ROLE: 'all', ...env }));

/** The same process still does what it did before. */
async function expectToWork({ url }: TestProcess): Promise<void> {
  expect((await fetch(`${url}/health/live`)).status).toBe(200);
  const reports = await openReports(app);
  // On a busy machine, a short limit may be too short for a small file, too.
  await eventually(async () => expect(await reports.taken()).toMatchObject({ redactionStatus: 'succeeded' }), PATIENCE_MS);
  await eventually(async () => expect(await reports.run()).toMatchObject({ status: 'succeeded' }), PATIENCE_MS);
}

/** Queues a run that takes more than ten seconds, and waits until it has begun. */
async function longRun(reports: Reports): Promise<string> {
  await manyLines(database.url, reports, 60_000);
  const configuration = await reports.configuration({ outputOptions: { formats: ['evidence'] } });
  const { id } = await reports.queue({ reportConfigurationId: configuration.id });
  await eventually(async () => expect(await reports.get(id)).toMatchObject({ status: 'running' }), PATIENCE_MS);
  return id;
}

it(
  'a run and a statement that take too long fail and say so, and the process lives on',
  async () => {
    // A large file has no second thread, so it takes longer than that.
    const process = await start({ COMPUTE_TIMEOUT: '3s', COMPUTE_THREADS: '2' });
    const reports = await openReports(app);
    expect(await reports.ended(await longRun(reports))).toMatchObject({
      status: 'failed',
      failure: {
        code: 'took_too_long',
        message: 'The work took more than 3 seconds. Use fewer or simpler patterns in the rules, or fewer statements.',
      },
    });
    expect(await reports.taken({ file: longLines(9000) })).toMatchObject({
      redactionStatus: 'failed',
      failure: { code: 'took_too_long', message: 'The work took more than 3 seconds. Split the file into smaller ones.' },
    });
    await expectToWork(process);
  },
  PATIENCE_MS * 2,
);

it(
  'a run and a statement that take too much memory fail and say so, and the process lives on',
  async () => {
    const process = await start({ COMPUTE_MEMORY_MIB: '64' });
    const reports = await openReports(app);
    await manyPatterns(reports, 4);
    expect(await reports.run()).toMatchObject({
      status: 'failed',
      failure: {
        code: 'took_too_much_memory',
        message: 'The work took more than 64 MiB of memory. Use fewer or simpler patterns in the rules, or fewer statements.',
      },
    });
    expect(await reports.taken({ file: tinyElements(1_000_000) })).toMatchObject({
      redactionStatus: 'failed',
      failure: { code: 'took_too_much_memory' },
    });
    await expectToWork(process);
  },
  PATIENCE_MS * 2,
);

it(
  'a run that is cancelled is no longer computed: its thread is free for the next one',
  async () => {
    await start({ COMPUTE_THREADS: '1' });
    const reports = await openReports(app);
    const other = await openReports(app);
    const id = await longRun(reports);
    const cancelled = await app.app.get(ReportOperatorService).cancel(OPERATOR, id);
    expect(await other.run()).toMatchObject({ status: 'succeeded' });
    expect(await reports.get(id)).toEqual(cancelled);
  },
  PATIENCE_MS * 2,
);

it(
  'a process that is stopped while it computes ends at once, and another one makes the run',
  async () => {
    const process = await start();
    const reports = await openReports(app);
    const id = await longRun(reports);
    const kept = 'SELECT 1 FROM claim_reports WHERE id = $1 AND inputs IS NOT NULL';
    await eventually(async () => expect(await rowsOf(database.url, kept, [id])).toHaveLength(1), PATIENCE_MS);
    const since = performance.now();
    expect(await process.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - since).toBeLessThan(20_000);
    expect(await rowsOf(database.url, 'SELECT lease, lost_workers FROM claim_reports WHERE id = $1', [id])).toEqual([
      { lease: null, lost_workers: 0 },
    ]);
    // The second process reads the kept inputs. Without their files it need not compute for as long as the first one did.
    await rowsOf(
      database.url,
      `UPDATE claim_reports SET inputs = jsonb_set(inputs::jsonb, '{configuration,outputOptions}', '{}') WHERE id = $1`,
      [id],
    );
    await start();
    expect(await reports.ended(id)).toMatchObject({ status: 'succeeded' });
    const [{ lostWorkers, started } = {}] = await rowsOf<{ lostWorkers: number; started: number }>(
      database.url,
      `SELECT lost_workers AS "lostWorkers", (
        SELECT count(*)::int FROM (SELECT resource_id, action FROM audit_entries UNION ALL SELECT resource_id, action FROM audit_events) log
        WHERE resource_id = report.id AND action = 'claim_report.started') AS started
      FROM claim_reports report WHERE id = $1`,
      [id],
    );
    expect({ lostWorkers, started }).toEqual({ lostWorkers: 0, started: 1 });
  },
  PATIENCE_MS * 2,
);

/** A session of Postgres ends that does nothing in a transaction for half a second. In production it has half a minute. */
function impatientDatabase(): string {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c idle_in_transaction_session_timeout=500');
  return url.href;
}

it(
  'no transaction is open while a thread reads a file or makes a report, however long that takes',
  async () => {
    await start({ DATABASE_URL: impatientDatabase() });
    const reports = await openReports(app);
    // With a transaction around it, each worker lost its session, and after three the statement had failed with worker_lost.
    const { id, ...statement } = await reports.taken({ file: tinyElements(1_000_000), fileName: 'camt.xml' });
    expect(statement).toMatchObject({ redactionStatus: 'succeeded', lineCount: 1 });
    const { id: runId } = await reports.queue({
      reportConfigurationId: (await reports.configuration({ outputOptions: { formats: ['pdf'] } })).id,
    });
    expect(await reports.ended(runId)).toMatchObject({ status: 'succeeded' });
    expect(
      await rowsOf(
        database.url,
        `SELECT lost_workers AS lost FROM bank_statements WHERE id = $1 UNION ALL SELECT lost_workers FROM claim_reports WHERE id = $2`,
        [id, runId],
      ),
    ).toEqual([{ lost: 0 }, { lost: 0 }]);
  },
  PATIENCE_MS * 2,
);

it(
  'files of one organization that take long do not hold up the statement and the run of another',
  async () => {
    await start({ COMPUTE_THREADS: '2' });
    const [slow, quick] = [await openReports(app), await openReports(app)];
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push((await slow.take({ file: longLines(9000), fileName: `${count}.csv` })).id);
    const running = async () => (await slow.list({ redaction_status: 'running' })).data.map(({ id }) => id);
    await eventually(async () => expect(await running()).toEqual([ids[0]]));
    expect(await quick.taken()).toMatchObject({ redactionStatus: 'succeeded' });
    expect(await quick.run()).toMatchObject({ status: 'succeeded' });
    // The other has one thread, and still has files to read.
    expect(await running()).toHaveLength(1);
  },
  PATIENCE_MS * 2,
);

it('a page that inflates to 620 MB fails as soon as one that inflates to 40 MB, with a reason that says what is wrong', async () => {
  await start();
  const { take, settled } = await openReports(app);
  const timeOf = async (megabytes: number): Promise<number> => {
    const { id } = await take({ file: await inflatingPage(megabytes), fileName: 'statement.pdf' });
    const since = performance.now();
    expect(await settled(id)).toMatchObject({
      redactionStatus: 'failed',
      failure: { code: 'file_too_large', message: 'A part of the PDF is larger than 20 MiB when it is unpacked.' },
    });
    return performance.now() - since;
  };
  // The first one starts the thread, too.
  const [small, large] = [await timeOf(40), await timeOf(620)];
  expect(large).toBeLessThan(4 * small);
});
