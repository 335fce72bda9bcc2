import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { ReportOperatorService, RUN_FAILURES } from '../../../src/modules/reports/index.js';
import type { TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { eventually } from '../../support/eventually.js';
import { eventsOf, stepsOf } from '../../support/law-database.js';
import { expectFieldErrors, expectProblem } from '../../support/problem.js';
import { openReports } from '../../support/reports.js';
import { startWorking } from '../../support/statements.js';

const OUTCOMES = '/v1/test/claim-reports/outcomes';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking({ COMPUTE_THREADS: '1' });
});
afterAll(() => app.close());

/** An organization with a configuration, whose next run ends as it is told. */
async function openOutcomes() {
  const reports = await openReports(app);
  const { id: reportConfigurationId } = await reports.configuration();
  const next = async (wanted: object) => {
    const { status, text, body } = await reports.api.post(OUTCOMES, { reportConfigurationId, ...wanted });
    expect(status, text).toBe(200);
    return body;
  };
  return { ...reports, reportConfigurationId, next };
}

/** Of a run: its events, and what the audit log says, in order. */
async function traceOf(organizationId: string, id: string) {
  const kinds = (await eventsOf(app as never, organizationId)).flatMap(({ kind, resource_id }) => (resource_id === id ? [kind] : []));
  return { kinds, actions: (await stepsOf(app as never, id)).map(({ action }) => action) };
}

it('the next run of a configuration fails as it was asked for, once, with the events and audit entries of any run', async () => {
  const { organizationId, next, run, reportConfigurationId } = await openOutcomes();
  const asked = { outcome: 'failed', failureCode: 'took_too_long', takesSeconds: 0 };
  expect(await next(asked)).toEqual({ reportConfigurationId, ...asked });
  const failed = await run({ reportConfigurationId });
  expect(failed).toMatchObject({ status: 'failed', failure: { code: 'took_too_long' }, result: null });
  expect(failed.startedAt).not.toBeNull();
  expect(await traceOf(organizationId, failed.id)).toEqual({
    kinds: ['claim_report.queued', 'claim_report.failed'],
    actions: ['claim_report.queued', 'claim_report.started', 'claim_report.failed'],
  });
  expect(await run({ reportConfigurationId })).toMatchObject({ status: 'succeeded' });
});

it('every code that a run can fail with can be provoked, and internal_error is meant without one', async () => {
  const { next, queue, ended, reportConfigurationId } = await openOutcomes();
  const runs = new Map<string, string>();
  for (const failureCode of RUN_FAILURES) {
    await next({ outcome: 'failed', failureCode });
    runs.set((await queue({ reportConfigurationId })).id, failureCode);
  }
  expect(await next({ outcome: 'failed' })).toMatchObject({ failureCode: 'internal_error' });
  runs.set((await queue({ reportConfigurationId })).id, 'internal_error');
  for (const [id, code] of runs) expect(await ended(id), code).toMatchObject({ status: 'failed', failure: { code } });
});

it('the next run is cancelled, or succeeds with its result', async () => {
  const { organizationId, next, run, reportConfigurationId } = await openOutcomes();
  expect(await next({ outcome: 'cancelled' })).toMatchObject({ failureCode: null, takesSeconds: 0 });
  const cancelled = await run({ reportConfigurationId });
  expect(cancelled).toMatchObject({ status: 'cancelled', failure: null, result: null });
  expect((await traceOf(organizationId, cancelled.id)).kinds).toEqual(['claim_report.queued', 'claim_report.cancelled']);
  await next({ outcome: 'succeeded', takesSeconds: 1 });
  const { status, result, startedAt, finishedAt } = await run({ reportConfigurationId });
  expect([status, result?.totals !== undefined]).toEqual(['succeeded', true]);
  expect(Date.parse(finishedAt!) - Date.parse(startedAt!)).toBeGreaterThanOrEqual(1000);
});

it('a run that takes its time is running meanwhile, keeps no worker from the runs of others, and ends soon after that', async () => {
  const [slow, other] = [await openOutcomes(), await openOutcomes()];
  await slow.next({ outcome: 'failed', failureCode: 'worker_lost', takesSeconds: 4 });
  const { id } = await slow.queue({ reportConfigurationId: slow.reportConfigurationId });
  await eventually(async () => expect((await slow.get(id)).status).toBe('running'));
  expect(await other.run()).toMatchObject({ status: 'succeeded' });
  expect(await slow.run()).toMatchObject({ status: 'succeeded' });
  expect((await slow.get(id)).status).toBe('running');
  const { failure, startedAt, finishedAt } = await slow.ended(id);
  expect(failure?.code).toBe('worker_lost');
  expect(Date.parse(finishedAt!) - Date.parse(startedAt!)).toBeGreaterThanOrEqual(4000);
  expect((await traceOf(slow.organizationId, id)).actions).toEqual(['claim_report.queued', 'claim_report.started', 'claim_report.failed']);
});

it('a run that takes its time can be cancelled meanwhile, and stays cancelled', async () => {
  const { next, queue, get, run, reportConfigurationId } = await openOutcomes();
  await next({ outcome: 'failed', takesSeconds: 1 });
  const { id } = await queue({ reportConfigurationId });
  await eventually(async () => expect((await get(id)).status).toBe('running'));
  const cancelled = await app.app.get(ReportOperatorService).cancel(OPERATOR, id);
  await next({ outcome: 'succeeded', takesSeconds: 2 });
  await run({ reportConfigurationId });
  expect(await get(id)).toEqual(cancelled);
});

it('what was asked for last applies, to the next run of this configuration and to no other', async () => {
  const { next, run, configuration, reportConfigurationId } = await openOutcomes();
  const { id: another } = await configuration({ name: 'Another' });
  await next({ outcome: 'cancelled' });
  await next({ outcome: 'failed', failureCode: 'period_too_long' });
  expect(await run()).toMatchObject({ status: 'succeeded' });
  expect(await run({ reportConfigurationId: another })).toMatchObject({ status: 'succeeded' });
  expect(await run({ reportConfigurationId })).toMatchObject({ status: 'failed', failure: { code: 'period_too_long' } });
});

it('asking is one audit entry at the configuration, which shows nothing of it and does not change', async () => {
  const { api, next, reportConfigurationId } = await openOutcomes();
  const before = (await api.get(`/v1/report-configurations/${reportConfigurationId}`)).body;
  await next({ outcome: 'failed', failureCode: 'missing_account', takesSeconds: 3 });
  expect((await api.get(`/v1/report-configurations/${reportConfigurationId}`)).body).toEqual(before);
  expect((await stepsOf(app as never, reportConfigurationId)).slice(1)).toMatchObject([
    {
      action: 'report_configuration.test_outcome_set',
      changes: { outcome: { to: 'failed' }, failureCode: { to: 'missing_account' }, takesSeconds: { to: 3 } },
    },
  ]);
});

it('two runs that are queued at once are not both ended by one request', async () => {
  const { next, queue, ended, reportConfigurationId } = await openOutcomes();
  await next({ outcome: 'failed' });
  const queued = await Promise.all([1, 2, 3].map(() => queue({ reportConfigurationId })));
  const statuses = await Promise.all(queued.map(async ({ id }) => (await ended(id)).status));
  expect(statuses.sort()).toEqual(['failed', 'succeeded', 'succeeded']);
});

it('a configuration of somebody else, an unknown code, and a code of a run that does not fail are refused', async () => {
  const { api, reportConfigurationId } = await openOutcomes();
  const other = new Client(app.url, (await aTenant(app)).key);
  for (const [caller, id] of [
    [other, reportConfigurationId],
    [api, newId()],
  ] as const)
    expectProblem(await caller.post(OUTCOMES, { reportConfigurationId: id, outcome: 'failed' }), 'related_record_missing');
  const asked = { reportConfigurationId, outcome: 'failed' };
  expectFieldErrors(await api.post(OUTCOMES, { ...asked, failureCode: 'no_such_code' }), 'body failureCode not_allowed');
  expectFieldErrors(
    await api.post(OUTCOMES, { ...asked, outcome: 'cancelled', failureCode: 'internal_error' }),
    'body failureCode not_allowed',
  );
  expectFieldErrors(await api.post(OUTCOMES, { ...asked, takesSeconds: 31 }), 'body takesSeconds out_of_range');
});
