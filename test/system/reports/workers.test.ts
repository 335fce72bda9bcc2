import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReportOperatorService } from '../../../src/modules/reports/index.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { stepsOf } from '../../support/law-database.js';
import { startProcess } from '../../support/process.js';
import { holdLines, openReports } from '../../support/reports.js';
import { PATIENCE_MS, startWorking } from '../../support/statements.js';

const cancel = (app: TestApp, id: string) => app.app.get(ReportOperatorService).cancel(OPERATOR, id);
const actionsOf = async (app: TestApp, id: string) => (await stepsOf(app, id)).map(({ action }) => action.split('.')[1]);
const endsOf = async (app: TestApp, id: string) =>
  (
    await rowsOf<{ kind: string }>(app.databaseUrl, `SELECT kind FROM events WHERE resource_id = $1 AND kind <> 'claim_report.queued'`, [
      id,
    ])
  ).map(({ kind }) => kind);

const aWorker = ({ databaseUrl }: TestApp) => startProcess({ DATABASE_URL: databaseUrl, ROLE: 'worker' });

describe('without a worker', () => {
  let app: TestApp;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  beforeAll(async () => {
    database = await createDatabase();
    app = await startApp({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('cancels a queued run, once: it never starts, and one event tells who waits for it', async () => {
    const { queue, get } = await openReports(app);
    const { id } = await queue();
    const cancelled = await cancel(app, id);
    expect(cancelled).toMatchObject({ status: 'cancelled', startedAt: null, finishedAt: expect.any(String), result: null, failure: null });
    expect(await get(id)).toEqual(cancelled);
    expect(await cancel(app, id)).toEqual(cancelled);
    await expect(cancel(app, newId())).rejects.toThrow('There is no claim report');
    expect(await actionsOf(app, id)).toEqual(['queued', 'cancelled']);
    expect(await endsOf(app, id)).toEqual(['claim_report.cancelled']);
  });

  it(
    'organizations take turns: forty queued runs of one do not delay the first run of another',
    async () => {
      const [greedy, modest] = [await openReports(app), await openReports(app)];
      for (let count = 0; count < 40; count += 1) await greedy.queue();
      const mine = await modest.queue();
      const worker = await aWorker(app);
      await modest.ended(mine.id);
      await eventually(
        async () => expect(await rowsOf(app.databaseUrl, `SELECT 1 FROM claim_reports WHERE status IN ('queued', 'running')`)).toEqual([]),
        PATIENCE_MS,
      );
      await worker.stop();
      const order = await rowsOf<{ id: string; organization_id: string }>(
        app.databaseUrl,
        'SELECT id, organization_id FROM claim_reports WHERE started_at IS NOT NULL ORDER BY started_at, finished_at',
      );
      expect(order.findIndex(({ id }) => id === mine.id)).toBeLessThanOrEqual(1);
      const theirs = order.filter(({ organization_id: owner }) => owner === greedy.organizationId).map(({ id }) => id);
      expect(theirs).toEqual(theirs.toSorted());
    },
    PATIENCE_MS * 2,
  );

  const workDoneFor = (organizationId: string) =>
    rowsOf(
      app.databaseUrl,
      `SELECT (SELECT count(*)::int FROM events WHERE organization_id = $1 AND resource_id = report.id AND kind = $3)
          AS events,
        (SELECT count(*)::int FROM audit_entries WHERE organization_id = $1 AND resource_id = report.id AND action = $2)
          + (SELECT count(*)::int FROM audit_events WHERE organization_id = $1 AND resource_id = report.id AND action = $2)
          AS started, lost_workers AS lost
      FROM claim_reports report WHERE organization_id = $1`,
      [organizationId, 'claim_report.started', 'claim_report.succeeded'],
    );

  it(
    'two workers never process the same run',
    async () => {
      const owners = await Promise.all([openReports(app), openReports(app), openReports(app)]);
      for (const { queue } of owners) for (let count = 0; count < 8; count += 1) await queue();
      const workers = await Promise.all([aWorker(app), aWorker(app)]);
      await eventually(
        async () => expect(await rowsOf(app.databaseUrl, `SELECT 1 FROM claim_reports WHERE status IN ('queued', 'running')`)).toEqual([]),
        PATIENCE_MS,
      );
      await Promise.all(workers.map((worker) => worker.stop()));
      for (const { organizationId } of owners)
        expect(await workDoneFor(organizationId)).toEqual(Array.from({ length: 8 }, () => ({ events: 1, started: 1, lost: 0 })));
    },
    PATIENCE_MS * 2,
  );
});

describe('with a worker', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startWorking();
  });
  afterAll(() => app.close());

  /** A run that a worker is processing and cannot finish. */
  async function aRunUnderWay() {
    const reports = await openReports(app);
    await reports.taken();
    const release = await holdLines(app);
    const { id } = await reports.queue();
    await eventually(async () =>
      expect(await reports.get(id)).toMatchObject({ status: 'running', startedAt: expect.any(String), finishedAt: null }),
    );
    return { ...reports, id, release };
  }

  it('cancels a running run and drops the result of its worker', async () => {
    const { id, release, get, run } = await aRunUnderWay();
    const cancelled = await cancel(app, id);
    expect(cancelled).toMatchObject({ status: 'cancelled', result: null });
    await release();
    // The next run starts after the worker has finished this one.
    expect(await run()).toMatchObject({ status: 'succeeded' });
    expect(await get(id)).toEqual(cancelled);
    expect(await actionsOf(app, id)).toEqual(['queued', 'started', 'cancelled']);
    expect(await endsOf(app, id)).toEqual(['claim_report.cancelled']);
  });

  it(
    'a lost worker that comes back changes nothing: another one has the run',
    async () => {
      const { id, release, get, run, ended } = await aRunUnderWay();
      await rowsOf(app.databaseUrl, `UPDATE claim_reports SET lease = $2, leased_until = now() + interval '1 hour' WHERE id = $1`, [
        id,
        newId(),
      ]);
      await release();
      expect(await run()).toMatchObject({ status: 'succeeded' });
      expect(await get(id)).toMatchObject({ status: 'running', result: null });
      expect(await endsOf(app, id)).toEqual([]);
      await rowsOf(app.databaseUrl, `UPDATE claim_reports SET leased_until = now() WHERE id = $1`, [id]);
      expect(await ended(id)).toMatchObject({ status: 'succeeded' });
      expect(await endsOf(app, id)).toEqual(['claim_report.succeeded']);
      expect(await actionsOf(app, id)).toEqual(['queued', 'started', 'succeeded']);
    },
    PATIENCE_MS,
  );

  it(
    'a run fails after three lost workers',
    async () => {
      const { id, release, ended } = await aRunUnderWay();
      await rowsOf(app.databaseUrl, `UPDATE claim_reports SET lease = $2, leased_until = now(), lost_workers = 2 WHERE id = $1`, [
        id,
        newId(),
      ]);
      await release();
      expect(await ended(id)).toMatchObject({
        status: 'failed',
        failure: { code: 'worker_lost', message: 'Given up after 3 workers stopped responding. Contact support if it happens again.' },
      });
      expect(await endsOf(app, id)).toEqual(['claim_report.failed']);
    },
    PATIENCE_MS,
  );
});
