import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { describeResource } from '../../support/describe-resource.js';
import { startDocumentedApp } from '../../support/documented-app.js';
import { describeRelatedProjects } from '../../support/related-projects.js';

const app = await startDocumentedApp();
afterAll(() => app.close());

const PATH = '/v1/expense-categories';
const STATUSES = ['active', 'archived'] as const;

describeResource('expense categories', app, {
  path: PATH,
  create: {
    code: 'TRAVEL-RAIL',
    name: 'Rail travel',
    sourceProvider: 'manual',
    sourceMapping: { account: '6670', tags: ['rail', { of: [1, 2] }] },
    status: 'archived',
  },
  change: { projectId: null, code: 'TRAVEL-AIR', name: 'Air travel', sourceMapping: { account: '6680' }, status: 'active' },
  defaults: { projectId: null, sourceProvider: 'manual', sourceMapping: {}, status: 'active' },
  nullable: ['projectId'],
  filters: { status: STATUSES },
  search: ['code', 'name'],
});

describeRelatedProjects(app, { path: PATH, body: () => ({ code: newId(), name: 'Rail travel' }) });

async function open() {
  const { key } = await aTenant(app);
  const api = new Client(app.url, key);
  const create = (changes: object = {}) => api.post(PATH, { code: 'TRAVEL-RAIL', name: 'Rail travel', ...changes });
  const make = async (changes: object = {}) => (await create(changes)).body as { id: string };
  const patch = (id: string, changes: object) => api.patch(`${PATH}/${id}`, changes);
  return { api, create, make, patch };
}

/** A 400 with one error, for a field of the body. */
const blaming = (field: string, code: string) => ({
  status: 400,
  body: { code: 'validation_failed', errors: [{ location: 'body', field, code }] },
});

describe('the fields of a category', () => {
  it('have limits in code points: 1 to 100 for a code, 1 to 200 for a name', async () => {
    const { create, make, patch } = await open();
    expect((await create({ code: '🧾'.repeat(100), name: '🏢'.repeat(200) })).body).toMatchObject({
      code: '🧾'.repeat(100),
      name: '🏢'.repeat(200),
    });
    const { id } = await make();
    for (const [field, max] of [
      ['code', 100],
      ['name', 200],
    ] as const) {
      for (const answer of [await create({ [field]: '🧾'.repeat(max + 1) }), await patch(id, { [field]: 'x'.repeat(max + 1) })])
        expect(answer).toMatchObject(blaming(field, 'too_long'));
      for (const answer of [await create({ [field]: '' }), await patch(id, { [field]: '' })])
        expect(answer).toMatchObject(blaming(field, 'too_short'));
    }
  });

  it('accept only the provider “manual”', async () => {
    const { create, make, patch } = await open();
    const { id } = await make({ sourceProvider: 'manual' });
    for (const sourceProvider of ['datev', 'Manual', '']) {
      for (const answer of [await create({ code: 'OTHER', sourceProvider }), await patch(id, { sourceProvider })])
        expect(answer, sourceProvider).toMatchObject(blaming('sourceProvider', 'not_allowed'));
    }
  });

  it('include `sourceMapping`, which is replaced as a whole', async () => {
    const { api, make, patch } = await open();
    const { id } = await make({ sourceMapping: { a: 1, deep: { b: 2, c: 3 } } });
    expect((await patch(id, { sourceMapping: { deep: { b: 4 } } })).body).toMatchObject({ sourceMapping: { deep: { b: 4 } } });
    expect((await api.get(`${PATH}/${id}`)).body).toHaveProperty('sourceMapping', { deep: { b: 4 } });
    expect((await patch(id, { sourceMapping: {} })).body).toHaveProperty('sourceMapping', {});
    expect(await patch(id, { sourceMapping: { a: 'x'.repeat(32 * 1024) } })).toMatchObject(blaming('sourceMapping', 'too_large'));
  });
});

describe('the search for categories', () => {
  it('does not match across code and name', async () => {
    const { api, make } = await open();
    const { id } = await make({ code: 'TRAVEL', name: 'Rail' });
    const found = async (text: string) =>
      ((await api.get(`${PATH}?search=${encodeURIComponent(text)}`)).body as { data: { id: string }[] }).data.map((record) => record.id);
    for (const text of ['avel', 'RAIL', 'rail']) expect(await found(text), text).toEqual([id]);
    for (const text of ['travelrail', 'TRAVEL Rail', 'lr']) expect(await found(text), text).toEqual([]);
  });
});

describe('the status of a category', () => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))('may change from %s to %s', async (from, to) => {
    const { make, patch } = await open();
    const { id } = await make({ status: from });
    expect(await patch(id, { status: to })).toMatchObject({ status: 200, body: { status: to } });
  });
});
