import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';
import { describeResource } from '../../support/describe-resource.js';
import { startDocumentedApp } from '../../support/documented-app.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const PATH = '/v1/claim-projects';
const STATUSES = ['draft', 'active', 'archived'] as const;
const project = { name: 'Berlin office', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

describeResource('claim projects', app, {
  path: PATH,
  create: {
    ...project,
    clientReference: 'CLIENT-1',
    status: 'active',
    metadata: { office: 'BER', floors: [1, { of: 7, at: 'Mitte' }], open: true },
  },
  change: {
    name: 'Hamburg office',
    clientReference: 'CLIENT-2',
    periodStart: '2026-02-01',
    periodEnd: '2027-01-31',
    status: 'archived',
    metadata: { office: 'HAM' },
  },
  defaults: { clientReference: null, status: 'draft', metadata: {} },
  nullable: ['clientReference'],
  filters: { status: STATUSES },
  search: ['name', 'clientReference'],
});

/** Creates a tenant, and functions for its projects. */
async function open() {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const create = (changes: object = {}) => api.post(PATH, { ...project, ...changes });
  const patch = (id: string, changes: object) => api.patch(`${PATH}/${id}`, changes);
  const make = async (changes: object = {}) => (await create(changes)).body as { id: string; updatedAt: string; status: string };
  return { organizationId: organization.id, api, create, patch, make };
}

/** A 400 with one error, for a field of the body. */
const blaming = (field: string, code: string) => ({
  status: 400,
  body: { code: 'validation_failed', errors: [{ location: 'body', field, code }] },
});

describe('the period of a project', () => {
  it('may be a single day or a long time', async () => {
    const { create } = await open();
    expect((await create({ name: 'day', periodStart: '2024-02-29', periodEnd: '2024-02-29' })).body).toMatchObject({
      periodStart: '2024-02-29',
      periodEnd: '2024-02-29',
    });
    expect((await create({ name: 'ages', periodStart: '0001-01-01', periodEnd: '9999-12-31' })).body).toMatchObject({
      periodStart: '0001-01-01',
      periodEnd: '9999-12-31',
    });
  });

  it('must not end before it starts', async () => {
    const { create } = await open();
    expect(await create({ periodStart: '2026-01-02', periodEnd: '2026-01-01' })).toMatchObject(blaming('periodEnd', 'before_start'));
  });

  it('is checked after a PATCH of only one of its days', async () => {
    const { make, patch, api } = await open();
    const before = await make();
    for (const changes of [{ periodStart: '2027-01-01' }, { periodEnd: '2025-12-31' }]) {
      expect(await patch(before.id, changes)).toMatchObject(blaming('periodEnd', 'before_start'));
    }
    expect((await api.get(`${PATH}/${before.id}`)).body).toEqual(before);
    expect((await patch(before.id, { periodStart: '2027-01-01', periodEnd: '2027-01-01' })).status).toBe(200);
  });

  it('has dates that exist, in the form 2026-02-28', async () => {
    const { create, make, patch } = await open();
    const { id } = await make();
    const noDays = [
      '2026-02-29',
      '2026-02-30',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '0000-01-01',
      '2100-02-29',
      '10000-01-01',
      '-001-01-01',
      '2026-1-1',
      '20260101',
      '2026-01-01T00:00:00Z',
      ' 2026-01-01',
      '2026-01-01\n',
      '٢٠٢٦-٠١-٠١',
      '',
    ];
    for (const day of noDays) {
      expect(await create({ periodStart: day }), day).toMatchObject(blaming('periodStart', 'invalid_date'));
      expect(await patch(id, { periodEnd: day }), day).toMatchObject(blaming('periodEnd', 'invalid_date'));
    }
  });
});

describe('the texts of a project', () => {
  it('are counted in code points', async () => {
    const { create } = await open();
    expect((await create({ name: '🧾'.repeat(200), clientReference: '🏢'.repeat(200) })).body).toMatchObject({
      name: '🧾'.repeat(200),
      clientReference: '🏢'.repeat(200),
    });
    expect(await create({ name: '🧾'.repeat(201) })).toMatchObject(blaming('name', 'too_long'));
    expect(await create({ clientReference: '🏢'.repeat(201) })).toMatchObject(blaming('clientReference', 'too_long'));
    expect(await create({ name: '' })).toMatchObject(blaming('name', 'too_short'));
  });

  it('are returned exactly as they were sent', async () => {
    const { create } = await open();
    for (const name of [
      ' spaces around ',
      'line\nbreak\ttab',
      'e\u0301 and \u00e9',
      '"quotes" \\ \'',
      '<b>&amp;</b>',
      '{{1}} ${x} %s',
      '\u202eright to left',
      "Robert'); DROP TABLE claim_projects;--",
    ]) {
      expect((await create({ name, clientReference: name })).body, name).toMatchObject({ name, clientReference: name });
    }
  });

  it('must not contain NUL or lone surrogates', async () => {
    const { create, make, patch } = await open();
    const { id } = await make();
    for (const text of ['a\u0000', '\ud83e', '\uddfe\ud83e']) {
      expect(await create({ name: text })).toMatchObject(blaming('name', 'invalid_text'));
      expect(await patch(id, { clientReference: text })).toMatchObject(blaming('clientReference', 'invalid_text'));
    }
  });
});

describe('the status of a project', () => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))('may change from %s to %s', async (from, to) => {
    const { make, patch } = await open();
    const { id, status, updatedAt } = await make({ status: from });
    expect(status).toBe(from);
    const answer = await patch(id, { status: to });
    expect(answer).toMatchObject({ status: 200, body: { status: to } });
    if (from === to) expect(answer.body).toMatchObject({ updatedAt });
  });

  it('archived: the project can still be read, listed and changed', async () => {
    const { make, patch, api } = await open();
    const { id } = await make({ status: 'archived' });
    expect((await api.get(`${PATH}/${id}`)).status).toBe(200);
    expect((await api.get(PATH)).body).toMatchObject({ data: [{ id }] });
    expect((await patch(id, { name: 'Renamed' })).body).toMatchObject({ name: 'Renamed', status: 'archived' });
  });
});

describe('the client reference of a project', () => {
  it('finds the projects that have exactly it, with its case and its signs', async () => {
    const api = new Client(app.url, (await aTenant(app)).key);
    const create = (name: string, clientReference: string | null) => api.post(PATH, { ...project, name, clientReference });
    for (const [name, reference] of [
      ['a', 'CLIENT-1'],
      ['b', 'CLIENT-1'],
      ['c', 'client-1'],
      ['d', 'CLIENT-10'],
      ['e', '%'],
      ['f', null],
    ] as const)
      await create(name, reference);
    const found = async (reference: string) => {
      const { body } = await api.get(`${PATH}?client_reference=${encodeURIComponent(reference)}`);
      return (body as { data: { name: string }[] }).data.map(({ name }) => name);
    };
    expect(await Promise.all(['CLIENT-1', 'client-1', '%', 'CLIENT', ''].map(found))).toEqual([['b', 'a'], ['c'], ['e'], [], []]);
  });
});

describe('concurrent calls', () => {
  it('with one Idempotency-Key create one project and get the same answer', async () => {
    const { api, organizationId } = await open();
    const key = { 'Idempotency-Key': newId() };
    const answers = await Promise.all(Array.from({ length: 100 }, () => api.post(PATH, project, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(201);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(99);
    for (const table of ['claim_projects', 'events', 'idempotency_keys']) {
      const [row] = await rowsOf<{ count: number }>(
        app.databaseUrl,
        `SELECT count(*)::int AS count FROM ${table} WHERE organization_id = $1`,
        [organizationId],
      );
      expect(row!.count, table).toBe(1);
    }
  });

  it('with different keys create a project each, all of them listed', async () => {
    const { create, api } = await open();
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => create({ name: `Office ${index}` })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const { data } = (await api.get(`${PATH}?page_size=200`)).body as { data: { id: string }[] };
    const ids = answers.map(({ body }) => (body as { id: string }).id);
    expect(data.map(({ id }) => id)).toEqual(ids.sort().reverse());
  });
});

describe('the total of a list', () => {
  const INSERT = `INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at, name, period_start, period_end,
      status, metadata, unique_key, search_key)
    SELECT ('0f' || substr(gen_random_uuid()::text, 3))::uuid, $1, 'test', now(), now(), 'P' || n, '2026-01-01', '2026-12-31',
      'draft', '{}', 'key ' || n, 'P' || n FROM generate_series($2::int, $3::int) n`;
  const pageOf = async (api: Client, query: string) => (await api.get(`${PATH}?${query}`)).body as { data: unknown[]; pagination: object };

  it('is exact up to 10,000, then 10000 with at_least, and pages continue after that', async () => {
    const { api, organizationId, make } = await open();
    await rowsOf(app.databaseUrl, INSERT, [organizationId, 1, 9999]);
    expect((await pageOf(api, 'page_size=1')).pagination).toMatchObject({ total: 9999, totalRelation: 'exact', hasMore: true });
    await make();
    expect((await pageOf(api, 'page_size=200&page=50')).pagination).toMatchObject({
      total: 10_000,
      totalRelation: 'exact',
      hasMore: false,
    });
    await rowsOf(app.databaseUrl, INSERT, [organizationId, 10_001, 10_005]);
    const last = await pageOf(api, 'page_size=200&page=51');
    expect(last.pagination).toEqual({ page: 51, pageSize: 200, total: 10_000, totalRelation: 'at_least', hasMore: false });
    expect(last.data).toHaveLength(5);
    expect((await pageOf(api, 'page_size=200&page=50')).pagination).toMatchObject({
      total: 10_000,
      totalRelation: 'at_least',
      hasMore: true,
    });
    expect(await pageOf(api, 'page_size=200&page=52')).toMatchObject({
      data: [],
      pagination: { total: 10_000, totalRelation: 'at_least', hasMore: false },
    });
    expect((await pageOf(api, 'search=p1000')).pagination).toMatchObject({ total: 6, totalRelation: 'exact' });
  });

  it.each([
    ['10,001 out of the list', 10_000, ['status=draft']],
    ['1,001 out of what a search finds', 1000, ['search=p', 'search=p&status=draft']],
  ])('is exact again right after an update moves record %s', async (_which, most, queries) => {
    const { api, organizationId, make, patch } = await open();
    await rowsOf(app.databaseUrl, INSERT, [organizationId, 1, most]);
    const { id } = await make({ name: 'P0 one too many' });
    for (const query of queries.flatMap((each) => [each, `${each}&page=2`]))
      expect((await pageOf(api, query)).pagination, query).toMatchObject({ total: most, totalRelation: 'at_least', hasMore: true });
    await patch(id, { name: 'Another', status: 'archived' });
    for (const query of queries)
      expect((await pageOf(api, query)).pagination, query).toMatchObject({ total: most, totalRelation: 'exact', hasMore: true });
  });

  it('of a search goes on behind record 1,000, to the last page', async () => {
    const { api, organizationId } = await open();
    await rowsOf(app.databaseUrl, INSERT, [organizationId, 1, 1205]);
    const last = await pageOf(api, 'search=p&page_size=200&page=7');
    expect(last.pagination).toEqual({ page: 7, pageSize: 200, total: 1000, totalRelation: 'at_least', hasMore: false });
    expect(last.data).toHaveLength(5);
  });
});

describe('a search among thousands of projects', () => {
  const PROJECTS = 5000;
  const INSERT = `INSERT INTO claim_projects (id, organization_id, environment, created_at, updated_at, name, period_start, period_end,
      status, metadata, unique_key, search_key)
    SELECT (lpad(to_hex(n), 12, '0') || '7000' || '8' || substr(md5($1 || n), 1, 15))::uuid, $1::uuid, 'test', now(), now(), 'P' || n,
      '2026-01-01', '2026-12-31', CASE n % 2 WHEN 0 THEN 'draft' ELSE 'active' END, '{}', 'key ' || n,
      'PROJECT ' || n || CASE WHEN n % 2500 = 7 THEN ' ÜBERSEE_%' ELSE '' END FROM generate_series(1, ${PROJECTS}) n`;
  const tenants = (async () => {
    const [own, other] = [await open(), await open()];
    for (const { organizationId } of [own, other]) await rowsOf(app.databaseUrl, INSERT, [organizationId]);
    return own;
  })();

  it.each([
    ['for a text in every name', 'search=project', PROJECTS, 'P5000'],
    ['for one character in every name', 'search=P', PROJECTS, 'P5000'],
    ['for a text in half of the newest', 'search=ct 4&page_size=200&page=2', 1111, 'P4799'],
    ['for a text in old records only', 'search=project 12', 111, 'P1299'],
    ['for a text in old records only, with a filter', 'search=project 12&status=active', 55, 'P1299'],
    ['for a text in one name', 'search=project 2777', 1, 'P2777'],
    ['for a text in two names', 'search=sEE', 2, 'P2507'],
    ['with letters outside ASCII', 'search=übersee', 2, 'P2507'],
    ['for one character', 'search=ü', 2, 'P2507'],
    ['for two characters', 'search=Üb', 2, 'P2507'],
    ['for characters that are wildcards in SQL', 'search=_%25', 2, 'P2507'],
    ['for a word with SQL wildcards', 'search=see_%25', 2, 'P2507'],
    ['that would match only with wildcards', 'search=%C3%BCb_rsee', 0, undefined],
    ['without a match', 'search=nowhere', 0, undefined],
    ['without a match, far past the end', 'search=nowhere&page=1000', 0, undefined],
    ['for an empty text', 'search=', PROJECTS, 'P5000'],
  ])('%s: finds, counts and orders the matches', async (_what, query, total, first) => {
    const { api } = await tenants;
    const page = (await api.get(`${PATH}?${query}`)).body as {
      data: { name: string }[];
      pagination: { page: number; pageSize: number; total: number; totalRelation: string; hasMore: boolean };
    };
    const { page: number, pageSize } = page.pagination;
    const counted = total > 1000 ? { total: 1000, totalRelation: 'at_least' } : { total, totalRelation: 'exact' };
    expect(page.pagination).toMatchObject({ ...counted, hasMore: number * pageSize < total });
    expect(page.data[0]?.name).toBe(first);
    const places = page.data.map(({ name }) => Number(name.slice(1)));
    expect(places).toEqual([...places].sort((a, b) => b - a));
    expect(page.data).toHaveLength(Math.max(0, Math.min(pageSize, total - (number - 1) * pageSize)));
  });
});
