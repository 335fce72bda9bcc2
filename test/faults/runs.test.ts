import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { stepsOf } from '../support/law-database.js';
import { StatementProxy } from '../support/postgres-statements.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { openReports, rule } from '../support/reports.js';
import { openStatements, PATIENCE_MS } from '../support/statements.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let worker: Promise<Worker>;

interface Worker {
  readonly process: TestProcess;
  readonly proxy: StatementProxy;
}

beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({ DATABASE_URL: database.url });
  worker = aWorker();
});
afterAll(async () => {
  await (await worker).process.kill();
  await app.close();
  await database.drop();
});

async function aWorker(): Promise<Worker> {
  const proxy = await StatementProxy.to(database.url);
  return { proxy, process: await startProcess({ DATABASE_URL: proxy.tcp.url, ROLE: 'worker' }) };
}

/** The worker is killed before or after its first statement that matches, or before or after the COMMIT of that transaction. */
interface Point {
  readonly statement: RegExp;
  readonly moment: 'before' | 'after' | 'at its COMMIT' | 'after its COMMIT';
}

/** Waits until the worker is killed, ends the leases that it held, and starts a new worker. */
async function killWorkerAt({ statement, moment }: Point, table: string, begin: () => Promise<unknown>): Promise<void> {
  const { process, proxy } = await worker;
  let isKilled = false;
  let inTransaction: unknown;
  const killed = new Promise<void>((resolve) => {
    proxy.handle = (text, link, pass) => {
      if (isKilled) return;
      if (statement.test(text)) inTransaction ??= link;
      const isThere = moment.includes('COMMIT') ? text === 'COMMIT' && inTransaction === link : inTransaction === link;
      if (!isThere) return pass();
      isKilled = true;
      link.muted = true;
      if (moment.startsWith('after')) pass();
      void process.kill().then(() => resolve());
    };
  });
  await begin();
  await killed;
  await eventually(() => expect(proxy.tcp.connections).toBe(0));
  await proxy.tcp.close();
  await rowsOf(database.url, `UPDATE ${table} SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL`);
  worker = aWorker();
  await worker;
}

const eventsOf = async (id: string) =>
  (await rowsOf<{ kind: string }>(database.url, 'SELECT kind FROM events WHERE resource_id = $1 ORDER BY id', [id])).map(
    ({ kind }) => kind,
  );
const countOf = async (sql: string, id: string) =>
  (await rowsOf<{ count: number }>(database.url, `SELECT count(*)::int AS count FROM ${sql} = $1`, [id]))[0]!.count;

it.each<Point>([
  { statement: /FROM statement_lines/, moment: 'before' },
  { statement: /INSERT INTO claim_report_files/, moment: 'at its COMMIT' },
  { statement: /INSERT INTO claim_report_files/, moment: 'after its COMMIT' },
])(
  'a run succeeds exactly once even if its worker is killed: $moment, $statement',
  async (point) => {
    const { take, settled, category, configuration, queue, ended } = await openReports(app);
    await settled((await take()).id);
    await category('TRAVEL', [rule('ticket')]);
    const { id: reportConfigurationId } = await configuration({ outputOptions: { formats: ['csv', 'pdf'] } });
    let id = '';
    await killWorkerAt(point, 'claim_reports', async () => ({ id } = await queue({ reportConfigurationId })));
    expect(await ended(id)).toMatchObject({
      status: 'succeeded',
      result: { totals: { claimable: '70.00', net: '1332.40' }, outputs: [{ format: 'csv' }, { format: 'pdf' }] },
    });
    expect(await eventsOf(id)).toEqual(['claim_report.queued', 'claim_report.succeeded']);
    expect(await countOf('claim_report_files WHERE report_id', id)).toBe(2);
    expect((await stepsOf(app, id)).filter(({ action }) => action === 'claim_report.succeeded')).toHaveLength(1);
  },
  PATIENCE_MS * 3,
);

it.each<Point>([
  { statement: /INSERT INTO statement_lines/, moment: 'before' },
  { statement: /INSERT INTO statement_lines/, moment: 'at its COMMIT' },
  { statement: /INSERT INTO statement_lines/, moment: 'after its COMMIT' },
])(
  'a statement is redacted exactly once even if its worker is killed: $moment, $statement',
  async (point) => {
    const { take, settled } = await openStatements(app);
    let id = '';
    await killWorkerAt(point, 'bank_statements', async () => ({ id } = await take()));
    expect(await settled(id)).toMatchObject({ redactionStatus: 'succeeded', lineCount: 5 });
    expect(await eventsOf(id)).toEqual(['bank_statement.received', 'bank_statement.redaction_succeeded']);
    expect(await countOf('statement_lines WHERE statement_id', id)).toBe(5);
  },
  PATIENCE_MS * 3,
);
