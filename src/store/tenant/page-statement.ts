import { COUNTED_AT_MOST } from './page.js';
import type { Statement } from '../database/database.js';
import { selectList, type EntitySql, escapeLike } from '../database/sql.js';

/** What every page statement is given, in this order; then the filters' values, then those of `plainValues` or `searchValues`. */
const FIRST_PLACES = { organization: '$1', environment: '$2', size: '$3::bigint', offset: '$4::bigint' };
const FILTERS_FROM = 5;

/** So many of the newest rows tell how a search is done: all of a small tenant's, and a millisecond's work of a large one's. */
const PROBED = 1000;
/** When so many of them match, walking on from the newest finds a page, and 10,000, sooner than the index of the search does. */
const MANY_OF_PROBED = 50;

/** Of a text without three letters or digits in a row the search's index knows nothing. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;

/**
 * Newest first. To the planner a list of one organization (see `rowsOf`) is not one organization, so the order by it stays, and
 * only the tenant's own indexes have that order. Without, it would at times read the ids of all tenants, newest first, until
 * it had found enough of this one's.
 */
const NEWEST = 'ORDER BY organization_id DESC, id DESC';

/** One page, newest first, with the count on every row; past the end, one row with nothing but the count. */
export function pageStatement(sql: EntitySql, filters: readonly string[], isSearch: boolean): Statement {
  const text = isSearch ? searchPage(sql, filters) : plainPage(sql, filters);
  return { name: `${sql.tableName}.page:${[...filters, ...(isSearch ? ['search'] : [])].join(',')}`, text };
}

/** What a list without a search is given after the filters: whether there are known to be more than are counted. */
export function plainValues(isAmple: boolean): unknown[] {
  return [isAmple];
}

/** What a search is given: its text; as a pattern; how many matches to look for; how many of the probed rows are many. */
export function searchValues(term: string, last: bigint, isAmple: boolean): unknown[] {
  const enough = isAmple || last > COUNTED_AT_MOST ? last : COUNTED_AT_MOST + 1;
  return [term, `%${escapeLike(term)}%`, enough.toString(), HAS_TRIGRAM.test(term) ? MANY_OF_PROBED : 0];
}

/** The ids come from the index alone, so a far page costs its index entries; only the page's own rows are fetched. */
function plainPage(sql: EntitySql, filters: readonly string[]): string {
  const { size, offset } = FIRST_PLACES;
  const isAmple = `$${FILTERS_FROM + filters.length}::boolean`;
  const matching = `SELECT id ${rowsOf(sql, filters)} ${NEWEST}`;
  // Where the page itself tells the total (it is not full, or lies beyond the bound), or more than the bound are known to be there, nothing is counted.
  return `WITH ids AS MATERIALIZED (${matching} LIMIT ${size} OFFSET ${offset})
    ${withRows(
      sql,
      `SELECT CASE WHEN (found > 0 OR ${offset} = 0) AND (found < ${size} OR ${offset} + found > ${COUNTED_AT_MOST} OR ${isAmple}) THEN least(${offset} + found, ${COUNTED_AT_MOST + 1})
      ELSE (SELECT count(*) FROM (${matching} LIMIT ${COUNTED_AT_MOST + 1}) bounded) END AS total FROM (SELECT count(*) AS found FROM ids) own`,
    )}`;
}

/**
 * Which way a search goes is decided by the tenant's own newest rows, since the planner's statistics are of all tenants
 * together. What the planner could decide otherwise is out of its reach: `strpos` is in no index, and it does not see the
 * values of subqueries. So the statement may be prepared, and goes the same way every time.
 */
function searchPage(sql: EntitySql, filters: readonly string[]): string {
  const { organization, environment, size, offset } = FIRST_PLACES;
  const [term, pattern, enough, many] = [0, 1, 2, 3].map((index) => `$${FILTERS_FROM + filters.length + index}`);
  const rows = rowsOf(sql, filters);
  return `WITH probe AS MATERIALIZED (
      SELECT count(*) <= ${PROBED} OR count(*) FILTER (WHERE strpos(search_key, ${term}) > 0) >= ${many}::int AS walks
      FROM (SELECT search_key ${rows} ${NEWEST} LIMIT ${PROBED + 1}) newest
    ), matches AS MATERIALIZED (
      (SELECT id ${rows} AND strpos(search_key, ${term}) > 0 AND (SELECT walks FROM probe) ${NEWEST} LIMIT ${enough}::bigint)
      UNION ALL
      SELECT id FROM ${sql.table} WHERE organization_id::text || environment = (SELECT ${organization}::uuid::text || ${environment}) AND search_key LIKE (SELECT ${pattern})${equalities(sql, filters)} AND NOT (SELECT walks FROM probe)
    ), ids AS MATERIALIZED (SELECT id FROM matches ORDER BY id DESC LIMIT ${size} OFFSET ${offset})
    ${withRows(sql, 'SELECT count(*) AS total FROM matches')}`;
}

function withRows(sql: EntitySql, total: string): string {
  return `SELECT page.*, counted.total::int FROM (${total}) counted LEFT JOIN (SELECT ${selectList(sql)} FROM ids JOIN ${sql.table} USING (id)) page ON true ORDER BY page.id DESC`;
}

function rowsOf(sql: EntitySql, filters: readonly string[]): string {
  const { organization, environment } = FIRST_PLACES;
  return `FROM ${sql.table} WHERE organization_id = ANY (ARRAY[${organization}::uuid]) AND environment = ${environment}${equalities(sql, filters)}`;
}

function equalities(sql: EntitySql, filters: readonly string[]): string {
  return filters.map((filter, index) => ` AND ${columnOf(sql, filter)} = $${FILTERS_FROM + index}`).join('');
}

function columnOf({ columns, tableName }: EntitySql, property: string): string {
  const column = columns.find((candidate) => candidate.property === property)?.column;
  if (!column) throw new Error(`${tableName} has no column to filter by ${property}.`);
  return column;
}
