import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { CLOSINGS, openClosings } from '../support/closings.js';
import { rowsOf } from '../support/database.js';
import { killedAt, type KillPoint } from '../support/killed-call.js';
import { REPORTS } from '../support/reports.js';
import { startWorking } from '../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

interface Point extends KillPoint {
  /** Whether the claim is final then. */
  readonly isFinal: boolean;
}

const POINTS: Point[] = [
  { statement: /^DELETE FROM claim_report_files/, moment: 'after', isFinal: false },
  { statement: /^INSERT INTO claim_report_files/, moment: 'after', isFinal: false },
  { statement: /^UPDATE "?claim_reports"? SET/, moment: 'after', isFinal: false },
  { statement: /^INSERT INTO "?claim_closings/, moment: 'after', isFinal: false },
  { statement: /^COMMIT$/, moment: 'before', isFinal: false },
  { statement: /^COMMIT$/, moment: 'after', isFinal: true },
];

it.each(POINTS)('killed $moment $statement, a claim is final with all that belongs to it, or not at all', async (point) => {
  const { claim, taking, other, key } = await openClosings(app);
  const { report } = await claim();
  await taking(report.id, 'reviewed');
  await taking(report.id, 'approved', {}, other);
  const before = await leftOf(key, report.id);
  const name = newId();
  const call = (api: Client) => api.post(CLOSINGS, { reportId: report.id, state: 'final' }, { 'Idempotency-Key': name });
  await killedAt(app.databaseUrl, point, key, call);
  const left = await leftOf(key, report.id);
  expect(left.sha256).toBe(left.stated);
  if (point.isFinal) expect(left).toMatchObject({ states: ['reviewed', 'approved', 'final'], events: 3, signed: left.sha256 });
  else expect(left).toEqual(before);
  const repeated = await call(new Client(app.url, key));
  expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([201, point.isFinal ? 'true' : undefined]);
  const after = await leftOf(key, report.id);
  expect(after).toMatchObject({ states: ['reviewed', 'approved', 'final'], events: 3, stated: after.sha256, signed: after.sha256 });
  expect(after.sha256).not.toBe(before.sha256);
});

/** What there is of a claim, and whether its pack is the one that its run states. */
async function leftOf(key: string, reportId: string) {
  const answer = await fetch(`${app.url}${REPORTS}/${reportId}/outputs/evidence`, { headers: { 'X-API-Key': key } });
  const sha256 = createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
  const { body } = await new Client(app.url, key).get(`${REPORTS}/${reportId}`);
  const stated = (body as { result: { outputs: { sha256: string }[] } }).result.outputs[0]!.sha256;
  const steps = await rowsOf<{ state: string; pack: { sha256: string } | null }>(
    app.databaseUrl,
    'SELECT state, pack FROM claim_closings WHERE report_id = $1 ORDER BY id',
    [reportId],
  );
  const [{ events }] = (await rowsOf(app.databaseUrl, `SELECT count(*)::int AS events FROM events WHERE data->>'reportId' = $1`, [
    reportId,
  ])) as [{ events: number }];
  return { sha256, stated, events, states: steps.map(({ state }) => state), signed: steps.at(-1)?.pack?.sha256 };
}
