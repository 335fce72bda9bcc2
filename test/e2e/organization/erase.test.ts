import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditService } from '../../../src/modules/audit/index.js';
import { newId } from '../../../src/kernel/ids.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { runCommand } from '../../support/command.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { tablesOfExtensions } from '../../support/extension-facts.js';
import { bearer } from '../../support/oauth.js';
import { openReports } from '../../support/reports.js';
import { aNote, aWholeOrganization, leftOf, rowsByTable, startKeepingNotes } from '../../support/whole-organization.js';

let app: TestApp;
beforeAll(async () => {
  app = await startKeepingNotes();
});
afterAll(() => app.close());

const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

describe('claims org erase', () => {
  it('removes every row of every table, and leaves a proof without personal data; others lose nothing', async () => {
    const [whole, other] = [await aWholeOrganization(app), await aWholeOrganization(app)];
    for (const { organizationId } of [whole, other]) await aNote(app, organizationId);
    const { organizationId } = whole;
    const empty = Object.entries(await rowsByTable(app.databaseUrl, organizationId)).filter(([, count]) => count === 0);
    // All others have rows; entries of the audit log may be sealed already, it has no whole tile, and files are in Postgres.
    const ofOthers = ['audit_entries', 'audit_tiles', 'stored_files', ...(await tablesOfExtensions())];
    expect(empty.map(([name]) => name).filter((name) => !ofOthers.includes(name))).toEqual(['organization_erasures']);
    const head = await app.app.get(AuditService).sealedHead(organizationId);
    // The log of the other one may be sealed meanwhile.
    const found = await rowsByTable(app.databaseUrl, other.organizationId);
    const { api_requests, audit_chains, audit_entries, audit_events, usage_credentials, usage_days, ...before } = found;
    expect([api_requests, audit_chains, audit_entries! + audit_events!, usage_credentials, usage_days]).not.toContain(undefined);
    const { code, stdout, stderr } = await claims('org', 'erase', organizationId, '--confirm', organizationId, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const proof = JSON.parse(stdout);
    // The beginning of the erasure is the last event of the log.
    expect(proof).toEqual({
      organizationId,
      begunAt: expect.any(String),
      finishedAt: expect.any(String),
      actor: `${userInfo().username} (claims command)`,
      auditHead: { sequence: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(proof.auditHead.sequence).toBeGreaterThan(head.sequence);
    // The worker that seals may have been about to.
    await eventually(async () => expect(await leftOf(app, organizationId)).toEqual({ proofs: 1, rows: 0 }));
    expect(await rowsByTable(app.databaseUrl, other.organizationId)).toMatchObject(before);
    expect((await app.app.get(AuditService).verify(other.organizationId)).fault).toBeNull();
    expect((await other.api.get('/v1/organization')).status).toBe(200);
    expect((await bearer(app, other.tokens.accessToken)).status).toBe(200);
    // Its credentials are unknown, and so is itself; repeated, the command returns the proof.
    await eventually(async () => expect((await whole.api.get('/v1/auth/context')).body.code).toBe('credential_invalid'));
    await eventually(async () => expect((await bearer(app, whole.tokens.accessToken)).status).toBe(401));
    const again = await claims('org', 'erase', organizationId, '--json');
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, proof]);
    expect(JSON.parse((await claims('org', 'erasures', '--json')).stdout)).toContainEqual(proof);
    const unknown = await claims('key', 'list', '--org', organizationId);
    expect([unknown.code, unknown.stderr]).toEqual([1, `claims: There is no organization ${organizationId}.\n`]);
  });

  it('erases nothing without a confirmation that names the organization', async () => {
    const { organization, key } = await aTenant(app);
    const refused = await claims('org', 'erase', organization.slug);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `claims: Erasing cannot be undone: confirm it with --confirm ${organization.id}.\n`,
    ]);
    const wrong = await claims('org', 'erase', organization.slug, '--confirm', newId());
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'claims: Nothing was erased: the confirmation is not the id, slug or name of this organization.\n',
    ]);
    expect((await new Client(app.url, key).get('/v1/organization')).status).toBe(200);
    expect((await claims('org', 'erase', organization.slug, '--confirm', organization.slug)).code).toBe(0);
    expect((await leftOf(app, organization.id)).rows).toBe(0);
  });

  it('knows no organization that never existed', async () => {
    for (const name of [newId(), 'no-such-organization']) {
      const { code, stderr } = await claims('org', 'erase', name, '--confirm', name);
      expect([code, stderr]).toEqual([1, `claims: There is no organization ${name}.\n`]);
    }
  });

  it('removes many rows in batches', async () => {
    const { organizationId, take } = await openReports(app);
    const many = Array.from({ length: 5200 }, (_, index) => `2026-01-05,Ticket ${index},-1.00,EUR\n`).join('');
    await take({ file: `Date,Description,Amount,Currency\n${many}`, isRedacted: true });
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt,
          trigger, status, scheduled_at)
        SELECT gen_random_uuid(), organization, 'test', now(), now(), $1, $1, 'claim_project.created', 1, 'automatic', 'delivered', now()
        FROM generate_series(1, 15000), unnest($2::uuid[]) AS organization`,
      [newId(), [organizationId, newId()]],
    );
    expect((await claims('org', 'erase', organizationId, '--confirm', organizationId)).code).toBe(0);
    expect((await leftOf(app, organizationId)).rows).toBe(0);
    const [left] = await rowsOf<{ count: number }>(app.databaseUrl, 'SELECT count(*)::int AS count FROM webhook_deliveries');
    expect(left!.count).toBeGreaterThanOrEqual(15_000);
  });
});
