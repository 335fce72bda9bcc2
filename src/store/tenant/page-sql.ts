import { LRUCache } from 'lru-cache';
import { atMost } from '../../kernel/bounded.js';
import type { Tenant } from '../../kernel/context.js';
import { firstIdOf } from '../../kernel/ids.js';
import { digestOf } from '../../kernel/text.js';
import type { Sql } from '../database/database.js';
import { declareSql } from '../database/prepared-statements.js';
import { type EntitySql, escapeLike, selectList, withColumns } from '../database/sql.js';
import { COUNTED_AT_MOST, FOUND_AT_MOST } from './page.js';

/** A record has its id before its commit, perhaps from a clock that is behind. Below an older id, nothing is added any more. */
const SETTLED_AFTER_MS = 10 * 60 * 1000;
/** How long a count outlives its records, if the organization is erased or the database is restored to an earlier time. */
const TTL_MS = 10 * 60 * 1000;
const MAX_TENANTS = 10_000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** How many records a tenant has below an id. */
interface SettledCount {
  readonly count: number;
  readonly below: string;
}

/** For each tenant, the records that are too old for their number to change, if records of this kind are never deleted. */
export class SettledCounts {
  private readonly tenants = new LRUCache<string, SettledCount>({ ...atMost(MAX_TENANTS), ttl: TTL_MS });

  get(tenant: Tenant): SettledCount {
    return this.tenants.get(keyOf(tenant)) ?? { count: 0, below: NIL };
  }

  set(tenant: Tenant, settled: SettledCount): void {
    this.tenants.set(keyOf(tenant), settled);
  }

  /** The id below which the number of records no longer changes, as of now. */
  static below(): string {
    return firstIdOf(new Date(Date.now() - SETTLED_AFTER_MS));
  }
}

/** Where a page can be looked for: below a row that has `at` rows between it and the horizon, or the horizon itself. */
export interface Landmark {
  /** Below this id no row is added any more. */
  readonly horizon: string;
  readonly id: string;
  readonly at: number;
}

/** With more rows above the horizon, they take as long to count as a page from the start. */
const MAX_NEWER = 5000;
/** How many rows a landmark is before its page: as many may be added until it is too late for the same page. */
const BACK = 100;
const MAX_LANDMARKS = 200;

interface Known {
  readonly horizon: string;
  readonly landmarks: Map<number, string>;
  newer: number;
}

/**
 * Rows of long lists on far pages, if rows are never deleted: a page is found from the one before it, not from the start of the list.
 * Nothing changes below the horizon, so that only the rows above it are counted anew.
 */
export class FarPages {
  private readonly tenants = new LRUCache<string, Known>({ ...atMost(MAX_TENANTS), ttl: TTL_MS });

  /** The nearest landmark before a row. */
  before(tenant: Tenant, offset: number): Landmark {
    const { horizon, landmarks, newer } = this.of(tenant);
    let at = -1;
    for (const known of landmarks.keys()) if (known > at && known < offset - newer) at = known;
    return { horizon, id: landmarks.get(at) ?? horizon, at };
  }

  /**
   * Whether a landmark led to the row, now that there are `newer` rows above the horizon: the row may be above the landmark by then, or
   * above the horizon. The row that was found before it is the next landmark.
   */
  isFound(tenant: Tenant, { horizon, at }: Landmark, { offset, newer, id }: { offset: number; newer: number; id: string | null }): boolean {
    const known = this.of(tenant);
    if (known.horizon === horizon) known.newer = newer;
    const place = offset - newer;
    if (newer >= MAX_NEWER) this.tenants.delete(keyOf(tenant));
    if (newer >= MAX_NEWER || place <= at) return false;
    if (id === null || known.horizon !== horizon) return true;
    known.landmarks.set(place - Math.min(BACK, place - at - 1), id);
    const [oldest] = known.landmarks.keys();
    if (known.landmarks.size > MAX_LANDMARKS) known.landmarks.delete(oldest!);
    return true;
  }

  private of(tenant: Tenant): Known {
    const known = this.tenants.get(keyOf(tenant)) ?? { horizon: SettledCounts.below(), landmarks: new Map<number, string>(), newer: 0 };
    this.tenants.set(keyOf(tenant), known, { noUpdateTTL: true });
    return known;
  }
}

const keyOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;

/** The first parameters of every page statement; then come the filters' values, then `plainParams` or `searchParams`. */
const PARAMS = { organization: '$1', environment: '$2', size: '$3::bigint', offset: '$4::bigint' };
const FILTERS_FROM = 5;
const valueAt = (filter: number): string => `$${FILTERS_FROM + filter}`;
/** Up to this offset, reading the rows before a page costs less than fetching each of its rows by its id. */
const NEAR = 200n;
/** How many of the newest rows are probed to decide how to search: all rows of a small tenant, about 1 ms for a large one. */
const PROBED = 1000;
/** With this many matches among them, walking from the newest row finds a page, and all that is counted, sooner than the search index. */
const MANY_OF_PROBED = 50;
/** The search index (trigrams) cannot help with a term that has no three letters or digits in a row. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;
/** The filter of a context of some projects. */
export const PROJECTS = 'projects';
/** Filters that compare otherwise: rows made at a time or later, rows made before it, rows before another one, rows changed since. */
const COMPARED: Readonly<Record<string, string>> = {
  ...{ since: 'id >=', until: 'id <', before: 'id <', changedSince: 'updated_at >=' },
  [PROJECTS]: '',
};

/** Filters by a range have the end that they compare behind their property. */
const RANGE = /^(.+)([<>]=)$/;

/** The value of a filter as its statement compares it. No id is of a time before 1970. */
export function filterValue([filter, value]: [string, unknown]): unknown {
  return filter === 'since' || filter === 'until' ? firstIdOf(new Date(Math.max(0, Date.parse(String(value))))) : value;
}

/** SQL that stands in a list for a column, by property. */
export type ListedColumns = Readonly<Record<string, string>>;

export interface ListOptions {
  /** Columns that a list reads in another way than as they are. A large one may be left out. */
  readonly columns?: ListedColumns;
  /** The property that the entity's indexes begin with, if not with the organization. Every list must filter by it. */
  readonly within?: string;
  /** The property that is the project of a row, if it is not `projectId`. */
  readonly projectIn?: string;
  /** SQL of the project, as a text, of rows that have no such property: they are read by contexts of some projects, and not written. */
  readonly projectSql?: string;
  /** Rows without a project, or of a kind that has none, are for all projects: a context of some reads them, and changes none of them. */
  readonly isForAll?: boolean;
  /** Records are never deleted, except with their organization or test environment. Live ones need not be counted again. */
  readonly keepsAll?: boolean;
}

export interface PageShape {
  readonly filters: readonly string[];
  readonly isSearch: boolean;
  readonly isNear: boolean;
  /** Whether it is looked for below a landmark. */
  readonly isBelow?: boolean;
}

export const shapeOf = (filters: readonly string[], isSearch: boolean, offset: bigint, { columns }: ListOptions): PageShape => ({
  filters,
  isSearch,
  // Large columns would be copied before they are returned.
  isNear: !isSearch && offset <= NEAR && columns === undefined,
});

/** Whether a list has all records of the tenant, none of which is ever deleted. */
export const hasAllKept = ({ keepsAll }: ListOptions, { filters, isSearch }: PageShape): boolean =>
  keepsAll === true && filters.length === 0 && !isSearch;

/** A name for each shape; the filters by the positions of their columns, since Postgres allows 63 characters. A longer one is a digest. */
export function nameOf({ columns, tableName }: EntitySql, shape: PageShape, options: ListOptions): string {
  const { filters, isSearch, isNear } = shape;
  const positions = filters.map((filter) => {
    if (filter in COMPARED) return filter;
    const [, of = filter, end = ''] = RANGE.exec(filter) ?? [];
    return `${columns.findIndex(({ property }) => property === of)}${end.slice(0, 1)}`;
  });
  const list = shape.isBelow ? 'below' : hasAllKept(options, shape) ? 'kept' : 'page';
  const kind = [...positions, ...(isSearch ? ['search'] : isNear ? [] : ['far'])].join(',');
  const name = `${tableName}.${list}:${kind}`;
  return name.length <= MAX_NAME_LENGTH ? name : `${list}:${digestOf(tableName, kind)}`;
}
const MAX_NAME_LENGTH = 63;

/** One page, newest first, with the counts in the first row; past the end, one row with nothing but the counts. */
export function pageSql(sql: EntitySql, shape: PageShape, options: ListOptions = {}): Sql {
  const text = shape.isBelow
    ? pageBelow(sql, options)
    : shape.isSearch
      ? searchPage(sql, shape.filters, options)
      : plainPage(sql, shape, options);
  return declareSql({ name: nameOf(sql, shape, options), text }, 'tenant');
}

/** Parameters of a list without a search: whether it is known to have more rows than are counted. */
export const plainParams = (isLong: boolean): unknown[] => [isLong];

/** Parameters of a list of all kept records: how many there are below an id, that id, and the id below which they can be kept now. */
export const keptParams = ({ count, below }: SettledCount, nextBelow: string): unknown[] => [count, below, nextBelow];

/** Parameters of a page below a landmark. */
export const landmarkParams = ({ horizon, id, at }: Landmark): unknown[] => [horizon, id, at];

/** Parameters of a search: the term, the term as a pattern, how many matches to look for, how many probed matches are many. */
export function searchParams(term: string, last: bigint, isLong: boolean): unknown[] {
  const enough = isLong || last > FOUND_AT_MOST ? last : FOUND_AT_MOST + 1;
  return [term, `%${escapeLike(term)}%`, enough.toString(), HAS_TRIGRAM.test(term) ? MANY_OF_PROBED : 0];
}

/** Ids come from the index alone; only the rows of the page itself are fetched. A page near the start is read at once. */
function plainPage(sql: EntitySql, shape: PageShape, options: ListOptions): string {
  const { size, offset } = PARAMS;
  const from = (condition = '') => newestOf(sql, shape.filters, options, condition);
  const ofEach = newestOfEach(sql, shape.filters, options);
  if (ofEach) {
    const paged = `SELECT id ${ofEach(`${size} + ${offset}`)} ORDER BY id DESC LIMIT ${size} OFFSET ${offset}`;
    const total = totalOfAny(ofEach(`${FOUND_AT_MOST + 1}`), shape.filters.length, 'ids', FOUND_AT_MOST);
    return `WITH ids AS MATERIALIZED (${paged}), ${rowsOfIds(sql, options)} ${withTotal(total)}`;
  }
  const paged = `${from()} LIMIT ${size} OFFSET ${offset}`;
  const page = shape.isNear
    ? `page AS (SELECT ${listed(sql, options)} ${paged})`
    : `ids AS MATERIALIZED (SELECT id ${paged}), ${rowsOfIds(sql, options)}`;
  const total = hasAllKept(options, shape) ? totalOfKept(from) : totalOfAny(from(), shape.filters.length, shape.isNear ? 'page' : 'ids');
  return `WITH ${page} ${withTotal(total)}`;
}

type OfEach = (limit: string, condition?: string, columns?: string) => string;

/** The newest rows of each of several projects: no index has those of all of them in this order, so they are merged. */
function newestOfEach(sql: EntitySql, filters: readonly string[], options: ListOptions): OfEach | undefined {
  const column = sql.columns.find(({ property }) => property === 'projectId')?.column;
  const at = filters.indexOf(PROJECTS);
  if (!column || at < 0) return undefined;
  const { organization, environment } = PARAMS;
  const others = conditions(
    sql,
    filters.map((filter) => (filter === PROJECTS ? '' : filter)),
    options,
  );
  const own = `FROM ${sql.table} WHERE organization_id = ${organization} AND environment = ${environment}${others}`;
  return (limit, condition = '', columns = 'id') => {
    const newest = (of: string) => `(SELECT ${columns} ${own} AND ${column} ${of}${condition} ORDER BY id DESC LIMIT ${limit})`;
    const ofAll = options.isForAll ? ` UNION ALL ${newest('IS NULL')}` : '';
    const each = `unnest(${valueAt(at)}::uuid[]) AS project CROSS JOIN LATERAL ${newest('= project')}`;
    return `FROM (SELECT own.* FROM ${each} own${ofAll}) reached`;
  };
}

/** How many rows are counted of a list with these filters: each of several projects is looked for by itself. */
export const mostCounted = (sql: EntitySql, filters: readonly string[], options: ListOptions): number =>
  newestOfEach(sql, filters, options) ? FOUND_AT_MOST : COUNTED_AT_MOST;

/** A page of a list that is longer than is counted. With it, how many rows are above the horizon: perhaps too many for this landmark. */
function pageBelow(sql: EntitySql, options: ListOptions): string {
  const { size, offset } = PARAMS;
  const [horizon, landmark, at] = [`$${FILTERS_FROM}::uuid`, `$${FILTERS_FROM + 1}::uuid`, `$${FILTERS_FROM + 2}::bigint`];
  const from = (condition: string) => newestOf(sql, [], options, condition);
  const first = 'SELECT id FROM around ORDER BY id DESC LIMIT 1';
  const skipped = `greatest(${offset} - (SELECT rows FROM newer) - ${at} - 1, 0)`;
  return `WITH newer AS MATERIALIZED (SELECT count(*) AS rows FROM (SELECT id ${from(` AND id >= ${horizon}`)} LIMIT ${MAX_NEWER}) bounded),
    around AS MATERIALIZED (SELECT id ${from(` AND id < ${landmark}`)} LIMIT ${size} + ${BACK} OFFSET greatest(${skipped} - ${BACK}, 0)),
    ids AS MATERIALIZED (SELECT id FROM around ORDER BY id DESC LIMIT ${size} OFFSET least(${skipped}, ${BACK})), ${rowsOfIds(sql, options)}
    ${withTotal(`SELECT ${COUNTED_AT_MOST + 1} AS total, rows AS settled, (${first}) AS landmark FROM newer`, ', counted.landmark')}`;
}

type From = (condition?: string) => string;

/** Counts, unless the page itself tells the total (it is not full, or beyond the bound) or the list is known to be long. */
function totalOfAny(from: string, filters: number, page: 'page' | 'ids', most = COUNTED_AT_MOST): string {
  const { size, offset } = PARAMS;
  const isLong = `${valueAt(filters)}::boolean`;
  const isTold = `(found > 0 OR ${offset} = 0) AND (found < ${size} OR ${offset} + found > ${most} OR ${isLong})`;
  const counted = `SELECT count(*) FROM (SELECT id ${from} LIMIT ${most + 1}) bounded`;
  return `SELECT CASE WHEN ${isTold} THEN least(${offset} + found, ${most + 1}) ELSE (${counted}) END AS total, NULL AS settled
      FROM (SELECT count(*) AS found FROM ${page}) own`;
}

/** Counts on from the records that were counted before. */
function totalOfKept(from: From): string {
  const [count, below, nextBelow] = [`$${FILTERS_FROM}::int`, `$${FILTERS_FROM + 1}::uuid`, `$${FILTERS_FROM + 2}::uuid`];
  return `SELECT ${count} + count(*) AS total, ${count} + count(*) FILTER (WHERE id < ${nextBelow}) AS settled
      FROM (SELECT id ${from(` AND id >= ${below}`)} LIMIT ${COUNTED_AT_MOST + 1} - ${count}) newer`;
}

/**
 * The tenant's own newest rows decide how to search, since the planner's statistics are about all tenants together. The planner
 * cannot decide otherwise: no index has `strpos`, and it does not see the values of subqueries. So the statement may be prepared.
 */
function searchPage(sql: EntitySql, filters: readonly string[], options: ListOptions): string {
  const { organization, environment, size, offset } = PARAMS;
  const [term, pattern, enough, many] = [0, 1, 2, 3].map((index) => `$${FILTERS_FROM + filters.length + index}`);
  const newest = (condition = '') => newestOf(sql, filters, options, condition);
  const ofEach = newestOfEach(sql, filters, options);
  const probed = ofEach
    ? `greatest(${PROBED + 1} / greatest(cardinality(${valueAt(filters.indexOf(PROJECTS))}::uuid[]), 1), 20)`
    : `${PROBED + 1}`;
  const matching = ` AND strpos(search_key, ${term}) > 0 AND (SELECT walks FROM probe)`;
  return `WITH probe AS MATERIALIZED (
      SELECT count(*) < ${probed} OR count(*) FILTER (WHERE strpos(search_key, ${term}) > 0) >= ${many}::int AS walks
      FROM (SELECT search_key ${ofEach?.(probed, '', 'search_key') ?? `${newest()} LIMIT ${probed}`}) newest
    ), matches AS MATERIALIZED (
      (SELECT id ${ofEach ? `${ofEach(`${enough}::bigint`, matching)} ORDER BY id DESC` : newest(matching)} LIMIT ${enough}::bigint)
      UNION ALL
      SELECT id FROM ${sql.table} WHERE organization_id::text || environment = (SELECT ${organization}::uuid::text || ${environment})
        AND search_key LIKE (SELECT ${pattern})${conditions(sql, filters, options)} AND NOT (SELECT walks FROM probe)
    ), ids AS MATERIALIZED (SELECT id FROM matches ORDER BY id DESC LIMIT ${size} OFFSET ${offset}), ${rowsOfIds(sql, options)}
    ${withTotal('SELECT count(*) AS total, NULL AS settled FROM matches')}`;
}

/** Whose rows they are is known. */
const listed = (sql: EntitySql, { columns }: ListOptions): string =>
  selectList(
    withColumns(sql, ({ property }) => property !== 'organizationId' && property !== 'environment'),
    columns,
  );

const rowsOfIds = (sql: EntitySql, options: ListOptions): string =>
  `page AS (SELECT ${listed(sql, options)} FROM ids JOIN ${sql.table} USING (id))`;

/** The counts stand in the first row, so that they are not sent and read fifty times. */
const withTotal = (total: string, more = ''): string =>
  `SELECT page.*, ${ofFirstRow('counted.total')} AS total, ${ofFirstRow('counted.settled')} AS settled${more}
    FROM (${total}) counted LEFT JOIN page ON true ORDER BY page.id DESC`;

const ofFirstRow = (column: string): string => `CASE WHEN row_number() OVER (ORDER BY page.id DESC) = 1 THEN ${column}::int END`;

/**
 * The tenant's rows, newest first. The column that the indexes begin with is compared with a list of one, so the planner keeps
 * ordering by it, and only those indexes have that order. Otherwise it would sometimes read the ids of all tenants, newest first,
 * until it had found enough rows of this one.
 */
function newestOf(sql: EntitySql, filters: readonly string[], options: ListOptions, condition = ''): string {
  const { within } = options;
  const { organization, environment } = PARAMS;
  const isOneOf = (column: string, value: string) => `${column} = ANY (ARRAY[${value}::uuid])`;
  const isOfTenant = within === undefined ? isOneOf('organization_id', organization) : `organization_id = ${organization}`;
  const leading = within === undefined ? 'organization_id' : columnOf(sql, within);
  const where = conditions(sql, filters, options, (filter, value) => (filter === within ? isOneOf(leading, value) : undefined));
  return `FROM ${sql.table} WHERE ${isOfTenant} AND environment = ${environment}${where}${condition} ORDER BY ${leading} DESC, id DESC`;
}

function conditions(
  sql: EntitySql,
  filters: readonly string[],
  options: ListOptions,
  own: (filter: string, value: string) => string | undefined = () => undefined,
) {
  return filters
    .map((filter, index) => {
      const value = valueAt(index);
      if (filter === '') return '';
      if (filter === PROJECTS) return withinProjects(sql, options, value);
      const [, property = filter, comparison = '='] = RANGE.exec(filter) ?? [];
      return ` AND ${own(filter, value) ?? `${COMPARED[filter] ?? `${columnOf(sql, property)} ${comparison}`} ${value}`}`;
    })
    .join('');
}

/** The condition that a row is within projects. Without a project of their own, rows are of all, or the condition is never true. */
export function withinProjects(sql: EntitySql, { projectIn = 'projectId', projectSql, isForAll }: ListOptions, value: string): string {
  if (projectSql) return ` AND ${projectSql} = ANY (${value}::text[])`;
  const column = sql.columns.find(({ property }) => property === projectIn)?.column;
  if (!column) return ` AND ${value}::uuid[] IS ${isForAll ? 'NOT ' : ''}NULL`;
  // As a text, it does not lead to an index: ids and search terms are more selective.
  const isOne = `${column}::text = ANY (${value}::text[])`;
  return projectIn === 'id' ? ` AND id = ANY (${value}::uuid[])` : ` AND ${isForAll ? `(${isOne} OR ${column} IS NULL)` : isOne}`;
}

function columnOf({ columns, tableName }: EntitySql, property: string): string {
  const column = columns.find((candidate) => candidate.property === property)?.column;
  if (!column) throw new Error(`${tableName} has no column to filter by ${property}.`);
  return column;
}
