import { COLLECTIONS } from './document.js';
import { Refusal } from './refusal.js';
import type { MockCollection } from './tables.js';
import type { FieldFault } from './refusal.js';

export type MockRecord = { readonly id: string; readonly createdAt: string; readonly updatedAt: string } & Readonly<
  Record<string, unknown>
>;
type Values = Readonly<Record<string, unknown>>;

/** What the document says only in words: fields that no two records may share, the first of them in whatever case. */
const UNIQUE: Readonly<Record<string, readonly [string, string]>> = {
  '/v1/claim-projects': ['name', 'clientReference'],
  '/v1/expense-categories': ['code', 'projectId'],
};

/** The list of endpoints has one page, of as many as there can be. */
const ENDPOINTS = 100;

const camel = (name: string): string => name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
const fold = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? '')).toLowerCase();
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Ids sort by the time of their creation, as those of the service do (UUIDv7). */
export function idAfter(last: string | undefined): string {
  const time = Math.max(Date.now(), last === undefined ? 0 : parseInt(last.slice(0, 8) + last.slice(9, 13), 16) + 1);
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** The records of one collection, in memory. */
export class Records {
  readonly rows: MockRecord[] = [];

  constructor(
    readonly path: string,
    readonly collection: MockCollection,
    private readonly all: ReadonlyMap<string, Records>,
  ) {}

  get(id: string): MockRecord {
    const found = this.rows.find((row) => row.id === id.toLowerCase());
    if (!found) throw new Refusal('not_found', { detail: `There is no ${this.collection.record} with this id.` });
    return found;
  }

  add(given: Values): MockRecord {
    const { initial, times } = this.collection;
    const now = new Date().toISOString();
    const own = { id: idAfter(this.rows.at(-1)?.id), ...Object.fromEntries(times.map((name) => [name, now])) };
    // Only what a record has: not, for example, the headers of an endpoint, which are never shown.
    const known = Object.entries(given).filter(([name]) => Object.hasOwn(initial, name));
    const row = { ...initial, ...own, ...Object.fromEntries(known) } as MockRecord;
    this.rows.push(row);
    return row;
  }

  create(body: Values): MockRecord {
    this.requireAllowed({ ...this.collection.initial, ...body }, body);
    return this.add(body);
  }

  update(id: string, body: Values): MockRecord {
    const before = this.get(id);
    const changed = Object.entries(body).filter(([name, value]) => Object.hasOwn(before, name) && !same(before[name], value));
    if (changed.length === 0) return before;
    const updatedAt = new Date(Math.max(Date.now(), Date.parse(before.updatedAt) + 1)).toISOString();
    const after: MockRecord = { ...before, ...Object.fromEntries(changed), updatedAt };
    this.requireAllowed(after, body, id);
    this.rows[this.rows.indexOf(before)] = after;
    return after;
  }

  delete(id: string): void {
    this.rows.splice(this.rows.indexOf(this.get(id)), 1);
  }

  /** A page, newest first. Each filter is a field that must be equal; `search` is a part of a text. */
  page({ page, page_size: pageSize, search, before, ...filters }: Values & { page?: number; page_size?: number; before?: string }) {
    const matches = (row: MockRecord): boolean =>
      (before === undefined || row.id < before.toLowerCase()) &&
      Object.entries(filters).every(([name, value]) => fold(row[camel(name)]) === fold(value)) &&
      (search === undefined || this.collection.searched.some((name) => fold(row[name]).includes(fold(search))));
    const found = this.rows.filter(matches).reverse();
    const [number, size] = [page ?? 1, pageSize ?? ENDPOINTS];
    const data = found.slice((number - 1) * size, number * size);
    const hasMore = found.length > number * size;
    return { data, pagination: { page: number, pageSize: size, total: found.length, totalRelation: 'exact', hasMore } };
  }

  private requireAllowed(row: Values, body: Values, id?: string): void {
    const { periodStart, periodEnd } = row as { periodStart?: string; periodEnd?: string };
    if (periodStart && periodEnd && periodEnd < periodStart)
      throw Refusal.invalid([inBody('periodEnd', 'before_start', `must not be before periodStart (${periodStart})`)]);
    for (const [name, value] of Object.entries(body)) if (typeof value === 'string') this.requireRelated(name, value);
    const fields = UNIQUE[this.path];
    const other = fields && this.rows.find((one) => one.id !== id && fields.every((name) => sameKey(fields, name, one, row)));
    if (!other) return;
    const errors = fields.map((name) => inBody(name, 'already_exists', `is already used by ${other.id}`));
    throw new Refusal('already_exists', {
      errors,
      conflictingId: other.id,
      detail: `${fields.join(' and ')} are already used by ${other.id}.`,
    });
  }

  /** `projectId` and `reportConfigurationId` are ids of other records. */
  requireRelated(name: string, id: string): void {
    const records = [...this.all.values()].find(({ collection }) => name.toLowerCase().endsWith(collection.parameter.replace('_', '')));
    if (!records || records.rows.some((row) => row.id === id.toLowerCase())) return;
    const { record } = records.collection;
    const errors = [inBody(name, 'related_record_missing', `must be the id of a ${record}`)];
    throw new Refusal('related_record_missing', { errors, detail: `There is no ${record} with the id in ${name}.` });
  }
}

const inBody = (field: string, code: string, message: string): FieldFault => ({ location: 'body', field, code, message });

const sameKey = ([first]: readonly [string, string], name: string, a: Values, b: Values): boolean =>
  name === first ? fold(a[name]) === fold(b[name]) : same(a[name] ?? null, b[name] ?? null);

/** All collections, empty. */
export function emptyRecords(): ReadonlyMap<string, Records> {
  const all = new Map<string, Records>();
  for (const [path, collection] of Object.entries(COLLECTIONS)) all.set(path, new Records(path, collection, all));
  return all;
}
