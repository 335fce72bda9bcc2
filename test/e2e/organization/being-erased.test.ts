import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ErasureService } from '../../../src/modules/organization-data/index.js';
import { ErasuresService, OrganizationService } from '../../../src/modules/organization/index.js';
import { StatementsRepository } from '../../../src/modules/statements/statements.repository.js';
import { UnitOfWork } from '../../../src/store/database/unit-of-work.js';
import { OPERATOR } from '../../../src/kernel/context.js';
import { newId } from '../../../src/kernel/ids.js';
import { TEST_ENCRYPTION_KEY, type TestApp } from '../../support/app.js';
import { runCommand } from '../../support/command.js';
import { rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { openReports } from '../../support/reports.js';
import { aNote, leftOf, startKeepingNotes } from '../../support/whole-organization.js';

let app: TestApp;
beforeAll(async () => {
  app = await startKeepingNotes();
});
afterAll(() => app.close());

const claims = (...args: string[]) => runCommand(args, { DATABASE_URL: app.databaseUrl, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY });

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
    expect((await leftOf(app, organizationId)).rows).toBe(0);
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
    await aNote(app, organizationId);
    const sweep = () => app.app.get(ErasureService).sweep();
    await sweep();
    expect((await leftOf(app, organizationId)).rows).toBe(1);
    await rowsOf(
      app.databaseUrl,
      `UPDATE organization_erasures SET finished_at = now() - interval '6 minutes' WHERE organization_id = $1`,
      [organizationId],
    );
    await sweep();
    expect((await leftOf(app, organizationId)).rows).toBe(0);
    await aNote(app, organizationId);
    await sweep();
    expect((await leftOf(app, organizationId)).rows).toBe(1);
  });
});
