import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../../src/kernel/context.js';
import { idAt, newId } from '../../../src/kernel/ids.js';
import { Project } from '../../../src/modules/projects/project.entity.js';
import { Database } from '../../../src/store/database/database.js';
import type { WriteContext } from '../../../src/store/database/unit-of-work.js';
import { TenantRepository } from '../../../src/store/tenant/tenant-repository.js';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A process of its own, as far as counts are concerned: each repository remembers what it has counted. */
class Replica extends TenantRepository<Project> {
  constructor() {
    super(app.app.get(Database), Project, { keepsAll: true });
  }
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const INSERT = `INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at, name, period_start, period_end,
    status, metadata, unique_key, search_key)
  SELECT id, $1, 'live', now(), now(), id::text, '2026-01-01', '2026-12-31', 'draft', '{}', id::text, id::text
  FROM unnest($2::uuid[]) id`;

const aTenant = (): Tenant => ({ organizationId: newId(), environment: 'live' });

/** Adds records whose ids say that they are this old. */
async function add({ organizationId }: Tenant, count: number, ageMs: number): Promise<void> {
  const time = new Date(Date.now() - ageMs).toISOString();
  const ids = Array.from({ length: count }, () => `${idAt(time, 0).slice(0, 14)}${newId().slice(14)}`);
  await rowsOf(app.databaseUrl, INSERT, [organizationId, ids]);
}

async function totalOn(replica: Replica, tenant: Tenant, query: { page?: number; page_size?: number } = {}) {
  const { total, totalRelation } = await replica.page(tenant, { page: 1, page_size: 1, ...query });
  return [total, totalRelation];
}

describe('the total of records that are never deleted', () => {
  it('includes what any replica has just created, however the counts of the replicas were made', async () => {
    const replicas = [new Replica(), new Replica()];
    const step = fc.record({
      adds: fc.integer({ min: 0, max: 4 }),
      ageMs: fc.constantFrom(0, 1000, 5 * MINUTE_MS),
      asks: fc.constantFrom(...replicas),
      page: fc.constantFrom(1, 2, 3, 100),
      size: fc.constantFrom(1, 2, 50),
    });
    const [steps, old] = [fc.array(step, { minLength: 1, maxLength: 8 }), fc.integer({ min: 0, max: 6 })];
    const property = fc.asyncProperty(steps, old, async (taken, before) => {
      const tenant = aTenant();
      await add(tenant, before, 5 * HOUR_MS);
      let expected = before;
      for (const { adds, ageMs, asks, page, size } of taken) {
        await add(tenant, adds, ageMs);
        expected += adds;
        expect(await totalOn(asks, tenant, { page, page_size: size })).toEqual([expected, 'exact']);
      }
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('is counted once for records older than ten minutes', async () => {
    const replica = new Replica();
    const tenant = aTenant();
    await add(tenant, 20, 5 * HOUR_MS);
    await add(tenant, 3, 0);
    expect(await totalOn(replica, tenant)).toEqual([23, 'exact']);
    // Nothing gets so old an id. Here it shows which records are not counted again.
    await add(tenant, 7, 15 * MINUTE_MS);
    expect(await totalOn(replica, tenant)).toEqual([23, 'exact']);
    await add(tenant, 1, 5 * MINUTE_MS);
    expect(await totalOn(replica, tenant)).toEqual([24, 'exact']);
    expect(await totalOn(new Replica(), tenant)).toEqual([31, 'exact']);
  });

  it('becomes at_least with record 10,001, and stays so', async () => {
    const replica = new Replica();
    const tenant = aTenant();
    await add(tenant, 9_990, 5 * HOUR_MS);
    await add(tenant, 9, 0);
    expect(await totalOn(replica, tenant)).toEqual([9_999, 'exact']);
    await add(tenant, 1, 0);
    expect(await totalOn(replica, tenant)).toEqual([10_000, 'exact']);
    await add(tenant, 1, 0);
    const long = [10_000, 'at_least'];
    for (const page of [1, 10_000, 10_001, 10_002, 1]) expect(await totalOn(replica, tenant, { page })).toEqual(long);
  });

  it('is counted for each organization and environment', async () => {
    const replica = new Replica();
    const tenant = aTenant();
    await add(tenant, 5, 5 * HOUR_MS);
    expect(await totalOn(replica, tenant)).toEqual([5, 'exact']);
    expect(await totalOn(replica, { ...tenant, environment: 'test' })).toEqual([0, 'exact']);
    expect(await totalOn(replica, aTenant())).toEqual([0, 'exact']);
  });

  it('cannot become wrong by a removal: the repository refuses to remove', async () => {
    const ctx = aTenant() as WriteContext;
    await expect(new Replica().remove(ctx, newId())).rejects.toThrow('claim_projects keeps all rows');
  });
});
