import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../support/app.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const KIB = 1024;
const RUNS = '/v1/claim-reports';

interface Run {
  readonly id: string;
  readonly result: object | null;
  readonly resultBytes: number | null;
}

/** Succeeded runs of a tenant with results of about the given size. */
async function aTenantWithRuns(count: number, resultBytes: number, isSized = true) {
  const { organization, key } = await aTenant(app);
  await rowsOf(
    app.databaseUrl,
    `INSERT INTO claim_reports
       (id, organization_id, environment, created_at, updated_at, lost_workers, status, queued_at, result, result_bytes)
     SELECT gen_random_uuid(), $1, 'test', now(), now(), 0, 'succeeded', now(), made.result,
       CASE WHEN $4 THEN octet_length(made.result::text) END
     FROM generate_series(1, $2::int) n,
       LATERAL (SELECT ('{"text":"' || repeat(md5(n::text), $3::int / 32) || '"}')::json AS result) made`,
    [organization.id, count, resultBytes, isSized],
  );
  return new Client(app.url, key);
}

const runsOf = async (api: Client, query = '?page_size=200') => {
  const answer = await api.get(`${RUNS}${query}`);
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  return { answer, runs: (answer.body as { data: Run[] }).data };
};

describe('a list of runs', () => {
  it('shows results up to 64 KiB and the size of larger ones, which the run itself returns', async () => {
    const api = await aTenantWithRuns(2, 64 * KIB - 100);
    const { runs: small } = await runsOf(api);
    expect(small.map(({ result, resultBytes }) => Buffer.byteLength(JSON.stringify(result)) === resultBytes)).toEqual([true, true]);

    const large = await aTenantWithRuns(1, 65 * KIB);
    const { runs } = await runsOf(large);
    expect(runs).toMatchObject([{ result: null, resultBytes: expect.any(Number) }]);
    const { body } = await large.get(`${RUNS}/${runs[0]!.id}`);
    expect(Buffer.byteLength(JSON.stringify(body.result))).toBe(runs[0]!.resultBytes);
    expect(body.resultBytes).toBe(runs[0]!.resultBytes);
  });

  it('of 200 runs with large results is small', async () => {
    const { answer, runs } = await runsOf(await aTenantWithRuns(200, 512 * KIB));
    expect(runs).toHaveLength(200);
    expect(runs.every(({ result, resultBytes }) => result === null && resultBytes! > 500 * KIB)).toBe(true);
    expect(answer.text.length).toBeLessThan(200 * KIB);
  });

  it('has results of 1 MiB at most: the newest runs have theirs, the others their sizes', async () => {
    const { answer, runs } = await runsOf(await aTenantWithRuns(200, 60 * KIB));
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(1024 * KIB + 200 * KIB);
    const shown = runs.filter(({ result }) => result !== null).length;
    expect(shown).toBe(17);
    expect(runs.slice(0, shown).every(({ result }) => result !== null)).toBe(true);
    expect(runs.slice(shown).every(({ result, resultBytes }) => result === null && resultBytes! > 0)).toBe(true);
  });

  it('knows the size of a result that an earlier version has written', async () => {
    const api = await aTenantWithRuns(1, 100 * KIB, false);
    const { runs } = await runsOf(api);
    expect(runs).toMatchObject([{ result: null, resultBytes: expect.any(Number) }]);
    expect((await api.get(`${RUNS}/${runs[0]!.id}`)).body.resultBytes).toBe(runs[0]!.resultBytes);
  });
});

describe('a list whose records have large objects', () => {
  const large = (bytes: number) => ({ note: 'x'.repeat(bytes - 20) });

  it('is refused with the parameter to lower if it would exceed 8 MiB, and complete with a smaller page', async () => {
    const { organization, key } = await aTenant(app);
    const api = new Client(app.url, key);
    const made = await api.post('/v1/report-configurations', {
      name: 'Large',
      periodStart: '2026-01-01',
      periodEnd: '2026-12-31',
      categoryFilter: large(32 * KIB),
      outputOptions: large(32 * KIB),
    });
    expect(made.status, made.text).toBe(201);
    await rowsOf(
      app.databaseUrl,
      `INSERT INTO report_configurations
       SELECT (jsonb_populate_record(own, jsonb_build_object('id', gen_random_uuid()))).*
       FROM report_configurations own, generate_series(1, 199)
       WHERE organization_id = $1`,
      [organization.id],
    );
    const refused = await api.get('/v1/report-configurations?page_size=200');
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ location: 'query', field: 'page_size', code: 'answer_too_large' }] },
    });
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(refused.body.detail).toContain('8.0 MiB');
    const smaller = await api.get('/v1/report-configurations?page_size=100');
    expect([smaller.status, smaller.body.data.length, smaller.body.pagination.total]).toEqual([200, 100, 200]);
  });
});
