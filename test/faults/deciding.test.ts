import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { openClosings } from '../support/closings.js';
import { rowsOf } from '../support/database.js';
import { killedAt, type KillPoint } from '../support/killed-call.js';
import { REPORTS } from '../support/reports.js';
import { startWorking } from '../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const POINTS: (KillPoint & { readonly isDecided: boolean })[] = [
  { statement: /^UPDATE claim_line_decisions/, moment: 'after', isDecided: false },
  { statement: /^INSERT INTO claim_line_decisions/, moment: 'after', isDecided: false },
  { statement: /^COMMIT$/, moment: 'before', isDecided: false },
  { statement: /^COMMIT$/, moment: 'after', isDecided: true },
];

it.each(POINTS)(
  'killed $moment $statement, all lines of a decision are decided with its proof, or none',
  async ({ isDecided, ...point }) => {
    const { claim, key, api } = await openClosings(app);
    const { report } = await claim();
    const lines = (await api.get(`${REPORTS}/${report.id}/lines`)).body.data as { id: string }[];
    expect(lines.length).toBeGreaterThan(1);
    const decision = { lineIds: lines.map(({ id }) => id), outcome: 'not_claimed', reason: 'Private' };
    // One that is there already, which another one replaces.
    const first = await api.post('/v1/claim-line-decisions', { ...decision, lineIds: [lines[0]!.id] });
    expect(first.status, first.text).toBe(200);
    const name = newId();
    const call = (at: Client) => at.post('/v1/claim-line-decisions', decision, { 'Idempotency-Key': name });
    const before = await leftOf(report.id);
    await killedAt(app.databaseUrl, point, key, call);
    const left = await leftOf(report.id);
    const all = { current: lines.length, entries: before.entries + 1, decisions: lines.length + 1 };
    expect(left).toEqual(isDecided ? all : before);
    const repeated = await call(new Client(app.url, key));
    expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([200, isDecided ? 'true' : undefined]);
    expect(await leftOf(report.id)).toEqual(all);
  },
);

/** Decisions about the lines of a run, those that hold, and what the audit log says of them. */
async function leftOf(reportId: string) {
  const [left] = await rowsOf<{ decisions: number; current: number; entries: number }>(
    app.databaseUrl,
    `WITH own AS (
        SELECT decision.id, decision.replaced_at FROM claim_line_decisions decision
          JOIN claim_lines line USING (organization_id, fingerprint, occurrence) WHERE line.report_id = $1)
      SELECT (SELECT count(*)::int FROM own) AS decisions, (SELECT count(*)::int FROM own WHERE replaced_at IS NULL) AS current,
        (SELECT count(*)::int FROM (
            SELECT action, organization_id FROM audit_entries UNION ALL SELECT action, organization_id FROM audit_events) entry
          WHERE action = 'claim_line.decided' AND organization_id = (SELECT organization_id FROM claim_reports WHERE id = $1)) AS entries`,
    [reportId],
  );
  return left!;
}
