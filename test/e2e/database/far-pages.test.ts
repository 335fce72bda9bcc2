import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { OPERATOR } from '../../../src/kernel/context.js';
import { firstIdOf, newId } from '../../../src/kernel/ids.js';
import { Project } from '../../../src/modules/projects/project.entity.js';
import { Database } from '../../../src/store/database/database.js';
import { TenantRepository } from '../../../src/store/tenant/tenant-repository.js';
import { startApp, type TestApp } from '../../support/app.js';
import { rowsOf } from '../../support/database.js';

const OLD = 10_400;
const HOUR_MS = 3_600_000;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await add(OLD);
  newest = Date.now();
});
afterAll(() => app.close());

const INSERT = `INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at, name, period_start, period_end,
    status, metadata, unique_key, search_key)
  SELECT id, $1, 'live', now(), now(), 'Project', '2026-01-01', '2026-12-31', 'active', '{}', id::text, 'PROJECT'
    FROM unnest($2::uuid[]) AS id`;

const ctx = { organizationId: newId(), environment: 'live' as const, actor: OPERATOR, requestId: null, ipAddress: null, emits: [] };
/** Newest first. */
const ids: string[] = [];
// So old that no row is added between the first.
let newest = Date.now() - 10 * HOUR_MS;
async function add(count: number): Promise<void> {
  const made = Array.from({ length: count }, () => firstIdOf(new Date((newest += 1))).slice(0, 24) + newId().slice(24));
  await rowsOf(app.databaseUrl, INSERT, [ctx.organizationId, made]);
  ids.unshift(...made.reverse());
}

/** As a process that has just been started, and has been asked for the first page, sees a list that is longer than is counted. */
async function aReader() {
  const repository = new Projects(app.app.get(Database), Project, { keepsAll: true });
  const page = async (number: number, size: number) => {
    const { rows, ...told } = await repository.page(ctx, { page: number, page_size: size });
    return { ids: rows.map(({ id }) => id), ...told };
  };
  await page(1, 50);
  return page;
}

const expected = (number: number, size: number) => ({
  ids: ids.slice((number - 1) * size, number * size),
  total: 10_000,
  totalRelation: 'at_least',
  hasMore: ids.length > number * size,
});

class Projects extends TenantRepository<Project> {}

it('finds a page from the one before it: not from the start of the list', async () => {
  const page = await aReader();
  const read = vi.spyOn(app.app.get(Database), 'longRead');
  for (let number = 190; number < 205; number += 1) expect(await page(number, 50)).toEqual(expected(number, 50));
  const skipped = read.mock.calls.map(([{ name }, [, , , offset, , , at]]) => {
    expect(name).toContain('below');
    return Number(offset) - Number(at);
  });
  expect(Math.max(...skipped.slice(4))).toBeLessThan(300);
  read.mockRestore();
});

it('has the rows of each page of a long list, in any order of asking, while rows are added', async () => {
  const step = fc.record({ size: fc.integer({ min: 1, max: 200 }), at: fc.double({ min: 0, max: 1.05, noNaN: true }), added: fc.nat(40) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const page = await aReader();
      for (const { size, at, added } of steps) {
        const number = 1 + Math.floor((at * OLD) / size);
        expect(await page(number, size)).toEqual(expected(number, size));
        if (added > 30) await add(added);
      }
    }),
    { numRuns: 10 },
  );
});
