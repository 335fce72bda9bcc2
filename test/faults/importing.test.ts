import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import type { TestApp } from '../support/app.js';
import { rowsOf } from '../support/database.js';
import { killedAt, type KillPoint } from '../support/killed-call.js';
import { openStatements, sendStatement, startWorking } from '../support/statements.js';

let app: TestApp;
beforeAll(async () => {
  app = await startWorking();
});
afterAll(() => app.close());

const POINTS: (KillPoint & { readonly isImported: boolean })[] = [
  { statement: /^INSERT INTO "?bank_statements/, moment: 'after', isImported: false },
  { statement: /^INSERT INTO "?statement_originals/, moment: 'after', isImported: false },
  { statement: /^COMMIT$/, moment: 'before', isImported: false },
  { statement: /^COMMIT$/, moment: 'after', isImported: true },
];

it.each(POINTS)('killed $moment $statement, a file is imported whole and read once, or not at all', async ({ isImported, ...point }) => {
  const { key, organizationId, settled } = await openStatements(app);
  const idempotencyKey = newId();
  const nothing = { statements: 0, parts: 0, received: 0, entries: 0 };
  const all = { statements: 1, parts: 1, received: 1, entries: 1 };
  await killedAt(app.databaseUrl, point, key, ({ url }) => sendStatement({ url }, key, { idempotencyKey }));
  expect(await leftOf(organizationId)).toEqual(isImported ? all : nothing);
  const repeated = await sendStatement(app, key, { idempotencyKey });
  expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([201, isImported ? 'true' : null]);
  expect(await leftOf(organizationId)).toEqual(all);
  const { id } = repeated.body as { id: string };
  expect(await settled(id)).toMatchObject({ redactionStatus: 'succeeded', lineCount: 5 });
});

/** What there is of the imports of an organization. */
async function leftOf(organizationId: string) {
  const [left] = await rowsOf(
    app.databaseUrl,
    `SELECT (SELECT count(*)::int FROM bank_statements WHERE organization_id = $1) AS statements,
      (SELECT count(*)::int FROM statement_originals WHERE organization_id = $1) AS parts,
      (SELECT count(*)::int FROM events WHERE organization_id = $1 AND kind = 'bank_statement.received') AS received,
      (SELECT count(*)::int FROM (
          SELECT action, organization_id FROM audit_entries UNION ALL SELECT action, organization_id FROM audit_events) entry
        WHERE action = 'bank_statement.imported' AND organization_id = $1) AS entries`,
    [organizationId],
  );
  return left;
}
