import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { startApp, type TestApp } from '../../support/app.js';
import { aKey, aTenant } from '../../support/builders.js';
import { Client } from '../../support/client.js';
import { rowsOf } from '../../support/database.js';

const PATH = '/v1/claim-projects';
const project = { name: 'Berlin office', clientReference: 'CLIENT-1', periodStart: '2026-01-01', periodEnd: '2026-12-31' };

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function open() {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const create = (changes: object = {}, headers: Record<string, string> = {}) => api.post(PATH, { ...project, ...changes }, headers);
  const make = async (changes: object = {}) => (await create(changes)).body as { id: string };
  const patch = (id: string, changes: object) => api.patch(`${PATH}/${id}`, changes);
  return { organizationId: organization.id, api, create, make, patch };
}

const duplicate = {
  status: 409,
  body: {
    code: 'already_exists',
    retry: 'never',
    errors: [
      { location: 'body', field: 'name' },
      { location: 'body', field: 'clientReference' },
    ],
  },
};

const SAME_NAMES = [
  ['in another case', 'Berlin office', 'BERLIN Office'],
  ['in full width', 'Berlin office', '\uff22\uff25\uff32\uff2c\uff29\uff2e office'],
  ['with a ligature', 'Berlin office', 'Berlin o\ufb03ce'],
  ['with an accent as a character of its own', 'Caf\u00e9', 'CAFE\u0301'],
  ['with a no-break space', 'Berlin office', 'Berlin\u00a0office'],
  ['with a circled digit', 'Office 1', 'Office \u2460'],
  ['with a capital sharp s', 'Stra\u00dfe', 'STRA\u1e9eE'],
  ['in Greek, where a final sigma is another letter', 'ΟΔΟΣ', 'οδος'],
  ['with another final sigma', 'οδός', 'οδόσ'],
  ['as an Ångström sign', '\u212b', '\u00e5'],
] as const;

describe('two projects with the same client reference', () => {
  it.each(SAME_NAMES)('must not have the same name %s', async (_how, first, second) => {
    const { create } = await open();
    expect((await create({ name: first })).status).toBe(201);
    expect(await create({ name: second })).toMatchObject(duplicate);
  });

  it.each([
    ['Berlin office', 'Berlin  office'],
    ['Berlin office', ' Berlin office'],
    ['Cafe', 'Caf\u00e9'],
    ['M\u00fcller', 'Mueller'],
    ['O', '0'],
    ['Berlin', '\u0412erlin'],
  ])('may have the different names %j and %j', async (first, second) => {
    const { create } = await open();
    expect([(await create({ name: first })).status, (await create({ name: second })).status]).toEqual([201, 201]);
  });

  it('must not have the same name without a client reference either', async () => {
    const { create } = await open();
    expect((await create({ clientReference: null })).status).toBe(201);
    expect(await create({ clientReference: null })).toMatchObject(duplicate);
    expect(await create({ clientReference: undefined }), 'left out').toMatchObject(duplicate);
  });
});

describe('two projects with the same name', () => {
  it('may have different client references: null, empty, or different in case', async () => {
    const { create } = await open();
    for (const clientReference of [null, '', 'CLIENT-1', 'client-1', 'CLIENT-1 ', 'null', '\uff23LIENT-1']) {
      expect((await create({ clientReference })).status, String(clientReference)).toBe(201);
    }
    for (const clientReference of [null, '', 'client-1'])
      expect(await create({ clientReference }), String(clientReference)).toMatchObject(duplicate);
  });

  it('are different even if name and reference together have the same text', async () => {
    const { create } = await open();
    expect((await create({ name: 'a', clientReference: 'bc' })).status).toBe(201);
    expect((await create({ name: 'ab', clientReference: 'c' })).status).toBe(201);
    expect((await create({ name: 'a', clientReference: 'b","c' })).status).toBe(201);
  });

  it('may exist in different environments and organizations', async () => {
    const { organizationId, create } = await open();
    const live = await aKey(app, organizationId, { environment: 'live' });
    const { key: stranger } = await aTenant(app);
    expect((await create()).status).toBe(201);
    for (const key of [live.key, stranger]) expect((await new Client(app.url, key).post(PATH, project)).status).toBe(201);
  });

  it('are told apart by an error that names the project which is there, in its text and for programs', async () => {
    const { create } = await open();
    const { id } = (await create({ name: 'Berlin' })).body as { id: string };
    const { body } = await create({ name: 'Berlin' });
    expect(body).toMatchObject({ detail: `name and clientReference are already used by project ${id}.`, conflictingId: id });
    const { errors } = body as unknown as { errors: { field: string; message: string }[] };
    expect(errors.map(({ field, message }) => `${field} ${message}`)).toEqual([
      `name is already used by project ${id}, with the same clientReference`,
      `clientReference is already used by project ${id}, with the same name`,
    ]);
  });

  it('are duplicates even if the first is archived', async () => {
    const { create, make, patch } = await open();
    const { id } = await make();
    await patch(id, { status: 'archived' });
    expect(await create()).toMatchObject(duplicate);
    expect(await create({ status: 'archived' })).toMatchObject(duplicate);
  });

  it('free the name when the first is renamed', async () => {
    const { create, make, patch } = await open();
    const { id } = await make();
    await patch(id, { name: 'Hamburg office' });
    expect((await create()).status).toBe(201);
    expect(await patch(id, { name: 'BERLIN OFFICE' })).toMatchObject(duplicate);
  });
});

describe('a PATCH', () => {
  it('that makes a duplicate is refused and changes nothing', async () => {
    const { make, patch, api } = await open();
    await make();
    const { id } = await make({ name: 'Hamburg office' });
    const before = (await api.get(`${PATH}/${id}`)).body as object;
    expect(await patch(id, { name: 'berlin OFFICE', status: 'active' })).toMatchObject(duplicate);
    expect((await api.get(`${PATH}/${id}`)).body).toEqual(before);
    const other = await make({ clientReference: null });
    expect(await patch(other.id, { clientReference: 'CLIENT-1' })).toMatchObject(duplicate);
  });

  it('may change the spelling of its own name', async () => {
    const { make, patch } = await open();
    const { id } = await make();
    expect(await patch(id, { name: 'BERLIN OFFICE' })).toMatchObject({ status: 200, body: { name: 'BERLIN OFFICE' } });
  });
});

describe('a refused duplicate', () => {
  it('writes nothing and frees its Idempotency-Key', async () => {
    const { organizationId, create, api } = await open();
    await create();
    const key = { 'Idempotency-Key': newId() };
    expect(await create({}, key)).toMatchObject(duplicate);
    for (const table of ['claim_projects', 'events', 'idempotency_keys']) {
      const rows = await rowsOf(app.databaseUrl, `SELECT 1 FROM ${table} WHERE organization_id = $1`, [organizationId]);
      expect(rows, table).toHaveLength(1);
    }
    expect((await api.post(PATH, { ...project, name: 'Hamburg office' }, key)).status).toBe(201);
  });

  it('of many concurrent creates, one succeeds', async () => {
    const { create, api } = await open();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ name: index % 2 ? 'Berlin office' : 'BERLIN OFFICE' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(duplicate);
    expect((await api.get(PATH)).body).toMatchObject({ pagination: { total: 1 } });
  });

  it('of many concurrent updates, one succeeds', async () => {
    const { make, patch } = await open();
    const made = await Promise.all(Array.from({ length: 10 }, (_, index) => make({ name: `Office ${index}` })));
    const answers = await Promise.all(made.map(({ id }) => patch(id, { name: 'The office' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  });
});
