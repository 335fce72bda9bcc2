import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { aKey, aTenant } from './builders.js';
import { Client } from './client.js';
import { eventually } from './eventually.js';
import { createRecord, validBody, type AnyRecord } from './law-call.js';
import { auditOf, eventsOf, everyRowOf } from './law-database.js';
import { bodySchema, isFreeText, type Body, type Schema } from './law-document.js';
import type { DocumentedApp } from './documented-app.js';

export interface Resource {
  /** The path of its collection. */
  readonly path: string;
  /** Fields of the first record that replace those of the example. */
  readonly create: Body;
  /** Other values for that record. Each alone, and all together, must be a valid change. */
  readonly change: Body;
  /** The default values of optional fields. */
  readonly defaults: Body;
  /** The fields that accept `null`. All others must refuse it. */
  readonly nullable: readonly string[];
  /** Filters by the field of the same name, each with all its possible values. */
  readonly filters?: Readonly<Record<string, readonly string[]>>;
  /** Fields with a range in the list, each with four values in ascending order. */
  readonly ranges?: Readonly<Record<string, readonly [string, string, string, string]>>;
  /** The fields that `search` looks through. */
  readonly search?: readonly string[];
}

interface PageFound {
  readonly data: AnyRecord[];
  readonly pagination: { readonly total: number; readonly hasMore: boolean };
}

/** Tests what every resource promises. The test file of a resource adds what is special to it. */
export function describeResource(name: string, app: DocumentedApp, resource: Resource): void {
  describe(name, () => {
    /** Each test gets a new tenant, and functions for its records. */
    const open = () => openResource(app, resource);

    describe('create', () => promisesOfCreate(resource, open));
    describe('list', () => promisesOfList(resource, open));
    describe('filters', () => promisesOfFilters(resource, open));
    describe.runIf(resource.ranges)('ranges', () => promisesOfRanges(resource, open));
    describe('update', () => promisesOfUpdate(resource, open));
    describe('update without changes', () => promisesOfNoOpUpdate(resource, open));
  });
}

type Open = () => ReturnType<typeof openResource>;

async function openResource(app: DocumentedApp, { path, create }: Resource) {
  const { organization, key } = await aTenant(app);
  const api = new Client(app.url, key);
  const operation = app.operations.find((candidate) => candidate.method === 'POST' && candidate.path === path)!;
  const { required = [], properties = {} } = bodySchema(app.document, operation);
  /** A valid body. The records that it refers to belong to the tenant of the key. */
  const body = async (owner = key): Promise<Body> => ({ ...(await validBody(app, operation, owner)), ...create });
  return {
    app,
    api,
    path,
    required,
    schemaOf: (field: string): Schema => properties[field] ?? {},
    body,
    organizationId: organization.id,
    key,
    /** A record with unique texts. */
    another: (changes: Body = {}) => anotherRecord(app, path, api, key, changes),
    make: async (wanted: Body): Promise<AnyRecord> => expectStatus(await api.post(path, wanted), 201),
    get: async (id: string): Promise<AnyRecord> => expectStatus(await api.get(`${path}/${id}`), 200),
    patch: async (id: string, changes: Body): Promise<AnyRecord> => expectStatus(await api.patch(`${path}/${id}`, changes), 200),
    list: async (query: Record<string, string> = {}): Promise<PageFound> =>
      expectStatus(await api.get(`${path}?${new URLSearchParams(query).toString()}`), 200),
  };
}

async function anotherRecord(app: DocumentedApp, path: string, api: Client, key: string, changes: Body): Promise<AnyRecord> {
  const record = await createRecord(app, path, key);
  return Object.keys(changes).length === 0 ? record : expectStatus(await api.patch(`${path}/${record.id}`, changes), 200);
}

function expectStatus<T>(answer: { status: number; text: string; body: unknown }, status: number): T {
  expect(answer.status, answer.text).toBe(status);
  return answer.body as T;
}

const pick = (body: Body, names: readonly string[]): Body => Object.fromEntries(names.map((name) => [name, body[name]]));
const idsOf = (page: PageFound): string[] => page.data.map(({ id }) => id);

function promisesOfCreate({ defaults, nullable }: Resource, open: Open): void {
  it('returns all fields, with defaults for omitted ones', async () => {
    const { body, required, make } = await open();
    const given = pick(await body(), required);
    const record = await make(given);
    const { id, createdAt, updatedAt, ...rest } = record;
    expect(rest).toEqual({ environment: 'test', ...defaults, ...given });
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(updatedAt).toBe(createdAt);
    expect(Math.abs(Date.now() - Date.parse(String(createdAt)))).toBeLessThan(60_000);
  });

  it('stores every given field, and GET returns the same record as POST', async () => {
    const { body, make, get } = await open();
    const given = await body();
    const record = await make(given);
    expect(record).toMatchObject(given);
    expect(await get(record.id)).toEqual(record);
  });

  it('accepts null for nullable fields', async () => {
    const { body, make } = await open();
    const empty = Object.fromEntries(nullable.map((name) => [name, null]));
    expect(await make({ ...(await body()), ...empty })).toMatchObject(empty);
  });

  it('creates live records with a live key', async () => {
    const { app, organizationId, body, path } = await open();
    const live = await aKey(app, organizationId, { environment: 'live' });
    const record = await new Client(app.url, live.key).post(path, await body(live.key));
    expect(record.body).toMatchObject({ environment: 'live' });
  });
}

function promisesOfList({ change }: Resource, open: Open): void {
  it('returns the records as GET does, newest first', async () => {
    const { another, list, get } = await open();
    const made = [await another(), await another(), await another()];
    const { data } = await list();
    expect(data).toEqual([...made].reverse());
    expect(data).toEqual(await Promise.all(data.map(({ id }) => get(id))));
  });

  it('keeps its order after a record was changed', async () => {
    const { another, list, patch } = await open();
    const made = [await another(), await another()];
    await patch(made[0]!.id, change);
    expect(idsOf(await list())).toEqual([made[1]!.id, made[0]!.id]);
  });

  it('returns the total, and whether more records follow', async () => {
    const { another, list } = await open();
    for (let count = 0; count < 3; count += 1) await another();
    expect((await list({ page_size: '2' })).pagination).toMatchObject({ total: 3, hasMore: true });
    expect((await list({ page_size: '2', page: '2' })).pagination).toMatchObject({ total: 3, hasMore: false });
    expect((await list({ page_size: '3' })).pagination).toMatchObject({ total: 3, hasMore: false });
  });

  it('neither returns nor counts records of other organizations or the other environment', async () => {
    const [mine, theirs] = [await open(), await open()];
    const live = await aKey(mine.app, mine.organizationId, { environment: 'live' });
    const [own] = [await mine.another(), await theirs.another(), await createRecord(mine.app, mine.path, live.key)];
    expect(await mine.list()).toMatchObject({ data: [own], pagination: { total: 1, hasMore: false } });
  });
}

function promisesOfRanges({ ranges = {} }: Resource, open: Open): void {
  it.each(Object.entries(ranges))(
    'a range of %s returns what is in it, with both ends, and is refused if it ends too early',
    async (field, values) => {
      const { api, path, another, list } = await open();
      const made: string[] = [];
      for (const value of values) made.push((await another({ [field]: value })).id);
      const parameter = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const [from, to] = [{ [`${parameter}_from`]: values[1] }, { [`${parameter}_to`]: values[2] }];
      const found = async (query: Record<string, string>) => idsOf(await list(query)).map((id) => made.indexOf(id));
      expect([await found(from), await found(to), await found({ ...from, ...to })]).toEqual([
        [3, 2, 1],
        [2, 1, 0],
        [2, 1],
      ]);
      expect(await api.get(`${path}?${parameter}_from=${values[2]}&${parameter}_to=${values[1]}`)).toMatchObject({
        status: 400,
        body: { errors: [{ location: 'query', field: `${parameter}_to`, code: 'before_start' }] },
      });
    },
  );
}

function promisesOfFilters({ filters = {}, search = [] }: Resource, open: Open): void {
  it.each(Object.entries(filters))('%s returns exactly the records with the value', async (parameter, values) => {
    const { another, list } = await open();
    const field = parameter.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    const made = new Map<string, string[]>();
    for (const value of [...values, ...values]) made.set(value, [(await another({ [field]: value })).id, ...(made.get(value) ?? [])]);
    for (const [value, ids] of made) {
      const page = await list({ [parameter]: value });
      expect([idsOf(page), page.pagination.total], value).toEqual([ids, ids.length]);
    }
  });

  it.each(search)('search is a case-insensitive substring match on %s, without wildcards', async (field) => {
    const { another, list, schemaOf } = await open();
    if (!isFreeText(schemaOf(field), LONGEST_SEARCHED)) return findsByItsOwnText(field, { another, list });
    const plain = await another({ [field]: 'Grüne Straße 7' });
    const odd = await another({ [field]: 'a 100%_\\b' });
    await another({ [field]: 'a 100x_\\b 100%-\\b' });
    const found = async (text: string) => idsOf(await list({ search: text }));
    for (const text of ['Grüne Straße 7', 'GRÜNE', 'grüne str', 'e 7', 'STRASSE']) expect(await found(text), text).toEqual([plain.id]);
    for (const text of ['0%_', '%_\\', '_\\b', '100%_\\b']) expect(await found(text), text).toContain(odd.id);
    for (const text of ['100%_', '0%_\\b']) expect(await found(text), text).toEqual([odd.id]);
    for (const text of ['gr_ne', 'gr%ne', '%%', '__', 'Gruene', 'a  100']) expect(await found(text), text).toEqual([]);
  });

  it.runIf(Object.keys(filters).length > 0 && search.length > 0)('several filters must all match', async () => {
    const { another, list, schemaOf } = await open();
    const [[parameter, values] = ['', []]] = Object.entries(filters);
    const field = search.find((name) => isFreeText(schemaOf(name), LONGEST_SEARCHED));
    if (field === undefined) return;
    const both = await another({ [field]: 'needle', [parameter]: values[0] });
    await another({ [field]: 'needle 2', [parameter]: values[1] });
    await another({ [field]: 'hay', [parameter]: values[0] });
    const page = await list({ search: 'NEEDLE', [parameter]: values[0]! });
    expect([idsOf(page), page.pagination.total]).toEqual([[both.id], 1]);
  });
}

/** The longest text that the promises of a search store. */
const LONGEST_SEARCHED = 20;

/** What remains of the promise for a text that is too short, or has a certain form. */
async function findsByItsOwnText(field: string, { another, list }: Pick<Awaited<ReturnType<Open>>, 'another' | 'list'>): Promise<void> {
  const record = await another();
  const text = String(record[field]);
  for (const wanted of [text, text.toUpperCase(), text.toLowerCase(), text.slice(1)])
    expect(idsOf(await list({ search: wanted })), wanted).toEqual([record.id]);
  expect(idsOf(await list({ search: `${text}_` }))).toEqual([]);
}

/** Waits until the clock is past the timestamp, so that a change gets a later one. */
const untilAfter = (timestamp: unknown) => eventually(() => expect(new Date().toISOString() > String(timestamp)).toBe(true));

function promisesOfUpdate({ change, nullable }: Resource, open: Open): void {
  it.each(Object.keys(change))('changes only %s if only that is given', async (field) => {
    const { app, organizationId, body, make, patch, get } = await open();
    const before = await make(await body());
    await untilAfter(before.updatedAt);
    const after = await patch(before.id, { [field]: change[field] });
    expect(after).toEqual({ ...before, [field]: change[field], updatedAt: after.updatedAt });
    expect(String(after.updatedAt) > String(before.updatedAt)).toBe(true);
    expect(await get(before.id)).toEqual(after);
    const [event] = (await eventsOf(app, organizationId)).slice(-1);
    expect(event).toMatchObject({ changed_fields: [field], data: after });
    const [audit] = (await auditOf(app, organizationId)).slice(-1);
    expect(audit!.changes).toEqual({ [field]: { from: before[field], to: change[field] } });
  });

  it('changes all fields at once', async () => {
    const { body, make, patch } = await open();
    const before = await make(await body());
    const after = await patch(before.id, change);
    expect(after).toEqual({ ...before, ...change, updatedAt: after.updatedAt });
  });

  it('sets nullable fields to null, and returns 400 to null for other fields', async () => {
    const { api, path, body, make, patch, get } = await open();
    const before = await make(await body());
    for (const name of nullable) expect((await patch(before.id, { [name]: null }))[name]).toBeNull();
    const emptied = await get(before.id);
    for (const name of Object.keys(change).filter((candidate) => !nullable.includes(candidate))) {
      const answer = await api.patch(`${path}/${before.id}`, { [name]: null });
      expect(answer, name).toMatchObject({ status: 400, body: { errors: [{ location: 'body', field: name }] } });
    }
    expect(await get(before.id)).toEqual(emptied);
  });

  it('applies concurrent changes of different fields', async () => {
    const { body, make, api, path, get } = await open();
    const { id } = await make(await body());
    const answers = await Promise.all(Object.entries(change).map(([field, value]) => api.patch(`${path}/${id}`, { [field]: value })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await get(id)).toMatchObject(change);
  });
}

function promisesOfNoOpUpdate(_resource: Resource, open: Open): void {
  it.each([
    ['an empty body', () => ({})],
    ['the current values', (body: Body) => body],
    ['the current values with keys in another order', (body: Body) => backwards(body) as Body],
  ] as const)('returns 200 to %s, keeps `updatedAt`, and stores only the Idempotency-Key', async (_what, changesOf) => {
    const { app, organizationId, body, make, patch, get } = await open();
    const wanted = await body();
    const before = await make(wanted);
    await untilAfter(before.updatedAt);
    const rowsBefore = await everyRowOf(app, organizationId);
    expect(await patch(before.id, changesOf(pick(before, Object.keys(wanted))))).toEqual(before);
    expect(await get(before.id)).toEqual(before);
    const { idempotency_keys: keys, ...rest } = await everyRowOf(app, organizationId);
    const { idempotency_keys: keysBefore, ...restBefore } = rowsBefore;
    expect(rest).toEqual(restBefore);
    expect(keys).toHaveLength(keysBefore!.length + 1);
  });

  it('returns 404 for a missing record, even with an empty body', async () => {
    const { api, path } = await open();
    expect(await api.patch(`${path}/${newId()}`, {})).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
}

function backwards(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, backwards(inner)]),
  );
}
