import { afterAll, describe, expect, it } from 'vitest';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { describeResource } from '../../support/describe-resource.js';
import { startDocumentedApp } from '../../support/documented-app.js';
import { describeRelatedProjects } from '../../support/related-projects.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const PATH = '/v1/report-configurations';
const STATUSES = ['draft', 'ready', 'archived'] as const;
const configuration = { name: 'Annual report', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

describeResource('report configurations', app, {
  path: PATH,
  create: {
    ...configuration,
    accountingProvider: 'manual',
    categoryFilter: { codes: ['A', { not: 'B' }] },
    outputOptions: { layout: 'pdf', pages: 2 },
    status: 'ready',
  },
  change: {
    projectId: null,
    name: 'Half-year report',
    periodStart: '2026-02-01',
    periodEnd: '2027-01-31',
    categoryFilter: { codes: [] },
    outputOptions: {},
    status: 'archived',
  },
  defaults: { projectId: null, accountingProvider: 'manual', categoryFilter: {}, outputOptions: {}, status: 'draft' },
  nullable: ['projectId'],
  filters: { status: STATUSES },
  search: ['name'],
});

describeRelatedProjects(app, { path: PATH, body: () => configuration });

async function open() {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const create = (changes: object = {}) => api.post(PATH, { ...configuration, ...changes });
  const make = async (changes: object = {}) => (await create(changes)).body as { id: string };
  const patch = (id: string, changes: object) => api.patch(`${PATH}/${id}`, changes);
  return { api, create, make, patch };
}

/** A 400 with one error, for a field of the body. */
const blaming = (field: string, code: string) => ({
  status: 400,
  body: { code: 'validation_failed', errors: [{ location: 'body', field, code }] },
});

describe('report configurations', () => {
  it('may be identical', async () => {
    const { create, api } = await open();
    for (let count = 0; count < 2; count += 1) expect((await create()).status).toBe(201);
    expect((await api.get(PATH)).body).toMatchObject({ pagination: { total: 2 } });
  });
});

describe('the period of a configuration', () => {
  it('may be a single day, but must not end before it starts', async () => {
    const { create } = await open();
    expect((await create({ periodStart: '2024-02-29', periodEnd: '2024-02-29' })).status).toBe(201);
    expect(await create({ periodStart: '2026-01-02', periodEnd: '2026-01-01' })).toMatchObject(blaming('periodEnd', 'before_start'));
  });

  it('is checked after a PATCH of only one of its days', async () => {
    const { api, make, patch } = await open();
    const before = await make();
    for (const changes of [{ periodStart: '2027-01-01' }, { periodEnd: '2025-12-31' }])
      expect(await patch(before.id, changes)).toMatchObject(blaming('periodEnd', 'before_start'));
    expect((await api.get(`${PATH}/${before.id}`)).body).toEqual(before);
    expect((await patch(before.id, { periodStart: '2027-01-01', periodEnd: '2027-01-01' })).status).toBe(200);
  });
});

describe('the fields of a configuration', () => {
  it('include a name of 1 to 200 code points', async () => {
    const { create } = await open();
    expect((await create({ name: '🧾'.repeat(200) })).body).toMatchObject({ name: '🧾'.repeat(200) });
    expect(await create({ name: '🧾'.repeat(201) })).toMatchObject(blaming('name', 'too_long'));
    expect(await create({ name: '' })).toMatchObject(blaming('name', 'too_short'));
  });

  it('accept only the provider “manual”', async () => {
    const { create, make, patch } = await open();
    const { id } = await make();
    for (const accountingProvider of ['datev', 'Manual', '']) {
      for (const answer of [await create({ accountingProvider }), await patch(id, { accountingProvider })])
        expect(answer, accountingProvider).toMatchObject(blaming('accountingProvider', 'not_allowed'));
    }
  });

  it.each(['categoryFilter', 'outputOptions'])('include %s, which is replaced as a whole, without changing other fields', async (field) => {
    const { api, make, patch } = await open();
    const before = await make({ categoryFilter: { a: 1, deep: { b: 2 } }, outputOptions: { a: 1, deep: { b: 2 } } });
    await patch(before.id, { [field]: { deep: { c: 3 } } });
    expect((await api.get(`${PATH}/${before.id}`)).body).toMatchObject({
      ...before,
      [field]: { deep: { c: 3 } },
      updatedAt: expect.any(String),
    });
    expect((await api.get(`${PATH}/${before.id}`)).body).toHaveProperty(field, { deep: { c: 3 } });
    expect(await patch(before.id, { [field]: { a: 'x'.repeat(32 * 1024) } })).toMatchObject(blaming(field, 'too_large'));
  });
});

describe('the status of a configuration', () => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))('may change from %s to %s', async (from, to) => {
    const { make, patch } = await open();
    const { id } = await make({ status: from });
    expect(await patch(id, { status: to })).toMatchObject({ status: 200, body: { status: to } });
  });
});
