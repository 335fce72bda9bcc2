import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditService } from '../../src/modules/audit/index.js';
import { ErasureService } from '../../src/modules/organization-data/index.js';
import { ErasuresService, OrganizationService } from '../../src/modules/organization/index.js';
import { StatementsRepository } from '../../src/modules/statements/statements.repository.js';
import { UnitOfWork } from '../../src/store/database/unit-of-work.js';
import { OPERATOR } from '../../src/kernel/context.js';
import { newId } from '../../src/kernel/ids.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../support/app.js';
import { aTenant } from '../support/builders.js';
import { Client } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { rowsOf } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { bearer } from '../support/oauth.js';
import { openReports } from '../support/reports.js';
import { aWholeOrganization, rowsByTable, startKeeping } from '../support/whole-organization.js';

let app: TestApp;
beforeAll(async () => {
  app = await startKeeping();
  await rowsOf(app.databaseUrl, 'CREATE TABLE extension_notes (id uuid PRIMARY KEY, organization_id uuid NOT NULL, note text)');
});
afterAll(() => app.close());

const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

/** A row in the table of an extension, whose columns no code knows. */
const aNote = (organizationId: string) =>
  rowsOf(app.databaseUrl, 'INSERT INTO extension_notes VALUES ($1, $2, $3)', [newId(), organizationId, 'a note']);

/** What is left of an organization, without the proof. */
async function leftOf(organizationId: string) {
  const { organization_erasures: proofs, ...tables } = await rowsByTable(app.databaseUrl, organizationId);
  const [left] = await rowsOf<{ organizations: number; tokens: number }>(
    app.databaseUrl,
    `SELECT (SELECT count(*)::int FROM organizations WHERE id = $1) AS organizations, (SELECT count(*)::int FROM oauth_records
      WHERE client_id NOT IN (SELECT client_id FROM oauth_applications) OR user_id NOT IN (SELECT id FROM users)) AS tokens`,
    [organizationId],
  );
  return { proofs, rows: Object.values(tables).reduce((sum, count) => sum + count, 0) + left!.organizations + left!.tokens };
}

describe('claims org erase', () => {
  it('removes every row of every table, and leaves a proof without personal data; others lose nothing', async () => {
    const [whole, other] = [await aWholeOrganization(app), await aWholeOrganization(app)];
    for (const { organizationId } of [whole, other]) await aNote(organizationId);
    const { organizationId } = whole;
    const empty = Object.entries(await rowsByTable(app.databaseUrl, organizationId)).filter(([, count]) => count === 0);
    // All others have rows; entries of the audit log may be sealed already.
    expect(empty.map(([name]) => name).filter((name) => name !== 'audit_entries')).toEqual(['organization_erasures']);
    const head = await app.app.get(AuditService).sealedHead(organizationId);
    const { audit_entries: _, audit_events: __, usage_days: ___, ...before } = await rowsByTable(app.databaseUrl, other.organizationId);
    const { code, stdout, stderr } = await claims('org', 'erase', organizationId, '--confirm', organizationId, '--json');
    expect([code, stderr]).toEqual([0, '']);
    const proof = JSON.parse(stdout);
    // The beginning of the erasure is the last event of the log.
    expect(proof).toEqual({
      organizationId,
      begunAt: expect.any(String),
      finishedAt: expect.any(String),
      actor: 'claims command',
      auditHead: { sequence: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(proof.auditHead.sequence).toBeGreaterThan(head.sequence);
    // The worker that seals may have been about to.
    await eventually(async () => expect(await leftOf(organizationId)).toEqual({ proofs: 1, rows: 0 }));
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
    expect((await leftOf(organization.id)).rows).toBe(0);
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
    expect((await leftOf(organizationId)).rows).toBe(0);
    const [left] = await rowsOf<{ count: number }>(app.databaseUrl, 'SELECT count(*)::int AS count FROM webhook_deliveries');
    expect(left!.count).toBeGreaterThanOrEqual(15_000);
  });
});

describe('an organization that is being erased', () => {
  const begun = async () => {
    const opened = await openReports(app);
    await app.app.get(ErasuresService).begin(OPERATOR, opened.organizationId);
    return opened;
  };

  it('has no access: its keys are refused within a second, and no command changes it', async () => {
    const { organizationId, api } = await openReports(app);
    expect((await api.get('/v1/organization')).status).toBe(200);
    await app.app.get(ErasuresService).begin(OPERATOR, organizationId);
    await eventually(async () => expect((await api.get('/v1/organization')).status).toBe(403), 1000);
    for (const args of [
      ['org', 'set', organizationId, '--status', 'active'],
      ['key', 'create', '--org', organizationId, '--environment', 'test'],
      ['org', 'export', organizationId, '--out', '/dev/null/nothing'],
    ]) {
      const { code, stderr } = await claims(...args);
      expect([code, stderr], args.join(' ')).toEqual([1, `claims: The organization ${organizationId} is being erased.\n`]);
    }
    await expect(app.app.get(OrganizationService).change(OPERATOR, organizationId, { status: 'active' })).rejects.toThrow('being erased');
  });

  it('gets no more work done: queued statements stay queued', async () => {
    const { organizationId, take } = await begun();
    const { id } = await take();
    const { id: next } = await (await openReports(app)).taken();
    expect(next).not.toBe(id);
    const [row] = await rowsOf<{ status: string }>(
      app.databaseUrl,
      'SELECT redaction_status AS status FROM bank_statements WHERE id = $1',
      [id],
    );
    expect(['pending', 'queued']).toContain(row!.status);
    expect((await claims('org', 'erase', organizationId, '--confirm', organizationId)).code).toBe(0);
    expect((await leftOf(organizationId)).rows).toBe(0);
  });

  it('loses the work that was begun: no worker holds a row of it any more', async () => {
    const { organizationId, taken } = await openReports(app);
    const { id } = await taken();
    const item = { id, organizationId, environment: 'test' as const, lease: newId(), isBegun: true, lostWorkers: 0 };
    await rowsOf(
      app.databaseUrl,
      `UPDATE bank_statements SET redaction_status = 'running', lease = $2, leased_until = now() + interval '1 hour' WHERE id = $1`,
      [id, item.lease],
    );
    const { queue } = app.app.get(StatementsRepository);
    const holds = () => app.app.get(UnitOfWork).transact((unit) => queue.holdsLease(item, unit));
    expect(await holds()).toBe(true);
    await app.app.get(ErasuresService).begin(OPERATOR, organizationId);
    expect(await holds()).toBe(false);
  });

  it('is swept once more for what was on its way when the erasure began', async () => {
    const { organizationId } = await begun();
    expect((await claims('org', 'erase', organizationId, '--confirm', organizationId)).code).toBe(0);
    await aNote(organizationId);
    const sweep = () => app.app.get(ErasureService).sweep();
    await sweep();
    expect((await leftOf(organizationId)).rows).toBe(1);
    await rowsOf(
      app.databaseUrl,
      `UPDATE organization_erasures SET finished_at = now() - interval '6 minutes' WHERE organization_id = $1`,
      [organizationId],
    );
    await sweep();
    expect((await leftOf(organizationId)).rows).toBe(0);
    await aNote(organizationId);
    await sweep();
    expect((await leftOf(organizationId)).rows).toBe(1);
  });
});
