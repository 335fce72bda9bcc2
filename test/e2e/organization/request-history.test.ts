import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLED_OF } from '../../../src/modules/request-history/api-request.entity.js';
import { RequestRetention } from '../../../src/modules/request-history/request-history.service.js';
import { Partitions, type PartitionedTable } from '../../../src/store/database/partitions.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { aVisitor } from '../../support/console.js';
import { createDatabase, rowsOf } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { expectProblem } from '../../support/problem.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const withApp = async (env: Record<string, string>, work: (app: TestApp) => Promise<void>): Promise<void> => {
  const app = await startApp({ DATABASE_URL: database.url, ...env });
  try {
    await work(app);
  } finally {
    await app.close();
  }
};
const PARTITIONS = "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'api_requests'::regclass";
const SUCCEEDED = 60;
const FAILED = 5;

describe('REQUEST_HISTORY', () => {
  it.each([
    ['off', 'calls are not kept', 0, 0],
    ['errors', 'only calls that failed are kept, for 3 days', FAILED, 0],
    ['sampled', `calls that failed are kept, and one in ${SAMPLED_OF} of those that succeeded, for 3 days`, FAILED, SUCCEEDED / 4],
  ])('%s: the page says that %s, the API says so, and usage counts all', async (kind, said, failed, succeededMax) => {
    await withApp({ REQUEST_HISTORY: kind, REQUEST_HISTORY_RETENTION: '3d' }, async (app) => {
      const { browser, organization } = await aVisitor(app);
      const api = new Client(app.url, (await aKey(app, organization.id)).key);
      for (let count = 0; count < SUCCEEDED; count += 1) expect((await api.get('/v1/claim-projects')).status).toBe(200);
      for (let count = 0; count < FAILED; count += 1) expect((await api.get('/v1/claim-projects?page=x')).status).toBe(400);
      // Counted when its answer is out.
      await eventually(async () => {
        const { text } = await browser.visit('/console/test/requests');
        expect(text).toContain(said);
        const rows = await rowsOf<{ status: number }>(database.url, 'SELECT status FROM api_requests WHERE organization_id = $1', [
          organization.id,
        ]);
        expect(rows.filter(({ status }) => status === 400)).toHaveLength(failed);
        expect(rows.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(succeededMax);
      });
      const lost = await browser.visit('/console/test/requests/01900000-0000-7000-8000-000000000000');
      expect([lost.status, lost.text]).toEqual([404, expect.stringContaining(said)]);
      await eventually(async () => {
        const [sum] = await rowsOf<{ calls: number }>(
          database.url,
          "SELECT sum(reads + writes)::int AS calls FROM usage_days WHERE organization_id = $1 AND environment = 'test'",
          [organization.id],
        );
        expect(sum!.calls).toBe(SUCCEEDED + FAILED);
      });
      const { kept, data } = (await api.get('/v1/requests?operation=claim_projects.list&failed=true')).body as {
        kept: string;
        data: object[];
      };
      expect([kept, data.length]).toEqual([kind, failed]);
      expectProblem(await api.get('/v1/requests/01900000-0000-7000-8000-000000000000'), 'not_found');
    });
  });
});

it('partitions of calls could not be dropped: they are, after REQUEST_HISTORY_RETENTION', async () => {
  await withApp({ REQUEST_HISTORY_RETENTION: '30d' }, async ({ app }) => {
    const table: PartitionedTable = { table: 'api_requests', by: 'id', period: 'week' };
    const partitions = async (): Promise<string[]> =>
      (await rowsOf<{ name: string }>(database.url, PARTITIONS)).map(({ name }) => name).sort();
    const before = await partitions();
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    await app.get(Partitions).ensure(table, daysAgo(20), 0);
    const young = await partitions();
    await app.get(Partitions).ensure(table, daysAgo(70), 0);
    expect([young.length, (await partitions()).length]).toEqual([before.length + 1, before.length + 2]);
    await app.get(RequestRetention).retain();
    expect(await partitions()).toEqual(young);
  });
});
