import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuditService } from '../../src/modules/audit/index.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { StatementProxy } from '../support/postgres-statements.js';
import { runClaims, startClaims } from '../support/process.js';
import { aWholeOrganization, rowsByTable, startKeeping } from '../support/whole-organization.js';

let app: TestApp;
beforeAll(async () => {
  app = await startKeeping();
});
afterAll(() => app.close());

interface Point {
  readonly text: string;
  /** A statement that comes before it. */
  readonly behind?: string;
  readonly moment: 'before' | 'after';
  readonly access: number;
}

/** Where the command is killed: before it sends the statement, or after that but before it gets the result. */
const POINTS = [
  { text: 'INSERT INTO "organization_erasures"', moment: 'before', access: 200 },
  { text: 'DELETE FROM "api_keys"', moment: 'before', access: 403 },
  { text: 'DELETE FROM "statement_lines"', moment: 'after', access: 401 },
  { text: 'DELETE FROM "users"', moment: 'before', access: 401 },
  { text: 'SET audit_sequence', moment: 'before', access: 401 },
  { text: 'SET audit_sequence', moment: 'after', access: 401 },
  { text: 'SELECT erase_audit_events', moment: 'after', access: 401 },
  { text: 'DELETE FROM organizations', moment: 'before', access: 401 },
  { text: 'DELETE FROM organizations', moment: 'after', access: 401 },
  // Deleted and finished: both or nothing.
  { text: 'COMMIT', behind: 'SET finished_at', moment: 'before', access: 401 },
  { text: 'COMMIT', behind: 'SET finished_at', moment: 'after', access: 401 },
] as const satisfies Point[];

/** Erases an organization by a process of its own, which is killed at a point. Returns whether it came that far. */
async function eraseKilledAt(organizationId: string, { text: wanted, behind = '', moment }: Point): Promise<boolean> {
  const proxy = await StatementProxy.to(app.databaseUrl);
  let killed = false;
  let isBehind = behind === '';
  const command = startClaims(['org', 'erase', organizationId, '--confirm', organizationId], {
    DATABASE_URL: proxy.tcp.url,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
  });
  proxy.handle = (text, link, pass) => {
    if (killed) return;
    isBehind ||= text.includes(behind);
    if (!isBehind || !text.includes(wanted)) return pass();
    killed = true;
    link.muted = true;
    if (moment === 'after') pass();
    void command.kill();
  };
  await command.ended;
  // The database ends the transaction before the connection.
  await eventually(() => expect(proxy.tcp.connections).toBe(0));
  await proxy.tcp.close();
  return killed;
}

it('an erasure that is killed at any point leaves no access, and goes on when the command is repeated', async () => {
  const [whole, other] = [await aWholeOrganization(app), await aWholeOrganization(app)];
  const { organizationId, api } = whole;
  let last = Number.POSITIVE_INFINITY;
  for (const point of POINTS) {
    const where = `killed ${point.moment} ${point.text} ${'behind' in point ? point.behind : ''}`;
    expect(await eraseKilledAt(organizationId, point), where).toBe(true);
    await eventually(async () => expect((await api.get('/v1/organization')).status, where).toBe(point.access), 5000);
    const {
      organization_erasures: proofs,
      usage_credentials: _called,
      usage_days: _counted,
      // The calls of this test, which are noted a moment later.
      api_requests: _answered,
      ...rows
    } = await rowsByTable(app.databaseUrl, organizationId);
    const left = Object.values(rows).reduce((sum, count) => sum + count, 0);
    expect(left, where).toBeLessThanOrEqual(point.access === 200 ? Number.POSITIVE_INFINITY : last);
    expect(proofs, where).toBe(point.access === 200 ? 0 : 1);
    if (point.access !== 200) last = left;
  }
  const env = { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };
  const repeated = await runClaims(['org', 'erase', organizationId, '--json'], env);
  expect([repeated.code, repeated.stderr]).toEqual([0, '']);
  const proof = JSON.parse(repeated.stdout);
  expect(proof).toMatchObject({ organizationId, finishedAt: expect.any(String), auditHead: { sequence: expect.any(Number) } });
  expect(proof.auditHead.sequence).toBeGreaterThan(10);
  const {
    organization_erasures: _proof,
    usage_credentials: _called,
    usage_days: _days,
    ...rows
  } = await rowsByTable(app.databaseUrl, organizationId);
  expect(Object.values(rows).filter((count) => count > 0)).toEqual([]);
  expect(await rowsOf(app.databaseUrl, 'SELECT 1 FROM organizations WHERE id = $1', [organizationId])).toEqual([]);
  expect((await app.app.get(AuditService).verify(other.organizationId)).fault).toBeNull();
  expect((await other.api.get('/v1/organization')).status).toBe(200);
}, 600_000);
