import { LRUCache } from 'lru-cache';
import { type FindManyOptions, type FindOptionsWhere, In, type SelectQueryBuilder } from 'typeorm';
import { atMost } from '../../kernel/bounded.js';
import type { Tenant } from '../../kernel/context.js';
import { Problem } from '../../kernel/problems.js';
import { foldText, snakeCase } from '../../kernel/text.js';
import { brokenConstraint, type Database, readError, type Sql } from '../database/database.js';
import { declareSql, type NamedText, parameters } from '../database/prepared-statements.js';
import { entityColumns, type EntitySql, insertSql, selectList, valuesOf } from '../database/sql.js';
import { asExpected, type Expectation, type ReadContext, send, type Unit } from '../database/unit-of-work.js';
import {
  FarPages,
  filterValue,
  hasAllKept,
  keptParams,
  landmarkParams,
  mostCounted,
  nameOf,
  pageSql,
  plainParams,
  PROJECTS,
  searchParams,
  SettledCounts,
  shapeOf,
  withinProjects,
} from './page-sql.js';
import type { ListOptions, PageShape } from './page-sql.js';
import { COUNTED_AT_MOST, FOUND_AT_MOST, type Counted, type PageOf, type PageRequest, totalOf } from './page.js';
import type { TenantRow } from '../database/columns.js';
import { outOfReach, requireAll, requireReached } from './of-projects.js';
import { NamedRecords } from './relations.js';
import { keysBy, type UniqueRule, uniqueRulesOf } from './unique-over.js';

/** Replicas do not tell each other of their changes, so a count is trusted for this long only. */
const TTL_MS = 10_000;
const MAX_TENANTS = 1000;
const MAX_LISTS_PER_TENANT = 100;

/**
 * The lists, by filters and search, that have more rows than are counted. A caller who pages through one does not wait for the same
 * rows to be counted again. A new row makes no such count wrong. A changed or deleted row may have been the one too
 * many, so it clears the tenant's lists. A reset empties those of a test environment, which no other replica hears of.
 */
class LongLists {
  private readonly tenants = new LRUCache<string, LRUCache<string, true>>(atMost(MAX_TENANTS));

  has(tenant: Tenant, list: string): boolean {
    return tenant.environment !== 'test' && (this.tenants.get(keyOf(tenant))?.has(list) ?? false);
  }

  add(tenant: Tenant, list: string): void {
    const key = keyOf(tenant);
    const lists = this.tenants.get(key) ?? new LRUCache<string, true>({ ...atMost(MAX_LISTS_PER_TENANT), ttl: TTL_MS });
    lists.set(list, true);
    this.tenants.set(key, lists);
  }

  clear(tenant: Tenant): void {
    this.tenants.delete(keyOf(tenant));
  }
}

const keyOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;

type InUnit = Tenant & { readonly unit: Unit; readonly expectation?: Expectation | undefined };

/**
 * Equality per column; `search` is a case-insensitive substring of the column `searchKey`. `since` and `until` are times between which
 * rows were made, of which the second is excluded. What is undefined does not filter.
 */
export type Filters<Row> = Partial<Record<keyof Row | 'search' | 'since' | 'until', string | boolean | null | undefined>>;
const COUNTED_BY_VALUE = 1000;

/** What the first row of a page says of its list. Only a list of all kept records has `settled`. */
interface Counts {
  readonly total: number;
  readonly settled: number | null;
}

/**
 * TypeORM's repository, bound to a tenant: every method begins with the context, which says whose rows these are and brings
 * along the open transaction. A row of somebody else is absent.
 *
 * `get`, `lock`, `insert`, `update`, `remove` and `page` run statements that are made once from the entity and prepared by the
 * server, at a third of the cost of building them per call. `find`, `findOneBy` and `createQueryBuilder` are TypeORM's own, for
 * queries that are not on the path of every call.
 */
export abstract class TenantRepository<Row extends TenantRow> {
  private readonly sql: EntitySql;
  private readonly ofIdSql: ById;
  private readonly insertSql: Sql;
  /** The property that is the project of a row, and the statements of contexts of some projects; undefined if rows have no project. */
  private readonly projectIn: (keyof Row & string) | undefined;
  private readonly ofIdWithinSql: ById | undefined;
  private readonly unique: readonly UniqueRule[];
  private readonly related: NamedRecords;
  private readonly pageSqls = new Map<string, Sql>();
  private readonly longLists = new LongLists();
  private readonly settledCounts = new SettledCounts();
  private readonly farPages = new FarPages();

  constructor(
    protected readonly database: Database,
    private readonly entity: new () => Row,
    private readonly listed: ListOptions = {},
  ) {
    this.sql = entityColumns(entity);
    this.unique = uniqueRulesOf(entity);
    this.related = new NamedRecords(database, this, this.sql, { entity, keepsAll: listed.keepsAll });
    this.ofIdSql = byIdOf(this.sql);
    this.insertSql = declare({ name: `${this.sql.tableName}.insert`, text: insertSql(this.sql) });
    const { projectIn = 'projectId', projectSql, isForAll } = listed;
    const column = this.sql.columns.find(({ property }) => property === projectIn);
    this.projectIn = column?.property as (keyof Row & string) | undefined;
    if (column || projectSql || isForAll) this.ofIdWithinSql = byIdOf(this.sql, listed);
  }

  async get(ctx: ReadContext, id: string): Promise<Row | undefined> {
    const { get, params } = this.ofId(ctx, id);
    const [row] = ctx.unit
      ? await this.database.rows<Row>(get, params, ctx.unit)
      : await this.database.shortRead<Row>(get, params, ctx.trace);
    return row;
  }

  /** The row, locked until the transaction ends, so that two changes of one record follow each other. It is as the caller expects. */
  async lock(ctx: InUnit, id: string): Promise<Row | undefined> {
    const { lock, params } = this.ofId(ctx, id);
    const [row] = await this.database.rows<Row>(lock, params, ctx.unit);
    return asExpected(ctx, row);
  }

  /** The row, which others may read and hold as well, but not change until the transaction ends: for a rule that depends on it. */
  async hold(ctx: InUnit, id: string): Promise<Row | undefined> {
    const { hold, params } = this.ofId(ctx, id);
    return (await this.database.rows<Row>(hold, params, ctx.unit))[0];
  }

  async insert(ctx: InUnit, row: Row): Promise<void> {
    this.requireReached(ctx, row);
    const keys = this.unique.length === 0 ? undefined : keysBy(this.unique, row);
    const own: Row = { ...row, organizationId: ctx.organizationId, environment: ctx.environment, ...keys };
    await this.related.write(ctx, row, undefined, () => this.write(ctx, this.insertSql, valuesOf(this.sql, own), own));
  }

  async update(ctx: InUnit, row: Row, properties: readonly (keyof Row & string)[]): Promise<void> {
    // The row was locked before, so it was reached as it was. As it will be, it is of a project of the context.
    this.requireReached(ctx, row);
    const { table, tableName, columns } = this.sql;
    const rules = this.unique.filter(({ fields }) => fields.some((field) => (properties as readonly string[]).includes(field)));
    const own: Row = rules.length === 0 ? row : { ...row, ...keysBy(rules, row) };
    const written: readonly string[] = rules.length === 0 ? properties : [...properties, ...rules.map(({ key }) => key)];
    const changed = columns.filter(({ property }) => written.includes(property));
    const assignments = changed.map(({ column }, index) => `${column} = $${index + 4}`);
    const text = `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = $1 AND organization_id = $2 AND environment = $3`;
    // A name for each set of columns, by their positions: Postgres allows 63 characters.
    const name = `${tableName}.update:${changed.map((column) => columns.indexOf(column)).join(',')}`;
    this.clearLongLists(ctx);
    const values = changed.map(({ property, write }) => write(own[property as keyof Row]));
    const params = [row.id, ctx.organizationId, ctx.environment, ...values];
    await this.related.write(ctx, row, properties, () => this.write(ctx, declare({ name, text }), params, own));
  }

  private async write(ctx: InUnit, sql: Sql, values: readonly unknown[], row: Row): Promise<void> {
    const { unit } = ctx;
    // As they are sent: a value that cannot be fails here.
    const answer = this.database.rows(sql, parameters(values), unit);
    // What is refused is done again without haste, and then explained.
    if (unit.isHasty) send(unit, answer);
    else await answer.catch((error: unknown) => this.explainDuplicate(ctx, row, error));
  }

  /** Deletes the row, unless others name it, and returns it as it was; undefined if it is not there. Of two calls, one finds it. */
  async remove(ctx: InUnit, id: string): Promise<Row | undefined> {
    if (this.listed.keepsAll) throw new Error(`${this.sql.tableName} keeps all rows: their counts rely on it.`);
    this.clearLongLists(ctx);
    const { remove, params } = this.ofId(ctx, id);
    return this.related.remove(ctx, id, () => this.database.rows<Row>(remove, params, ctx.unit));
  }

  /** The statements on one row, for those whom the context reaches. */
  private ofId({ organizationId, environment, projects }: Tenant, id: string): ById & { readonly params: unknown[] } {
    const params = [id, organizationId, environment];
    if (!projects) return { ...this.ofIdSql, params };
    return { ...(this.ofIdWithinSql ?? requireAll({ projects })), params: [...params, projects] };
  }

  private requireReached(ctx: Tenant, row: Row): void {
    if (this.projectIn) requireReached(ctx, row[this.projectIn]);
    else requireAll(ctx);
  }

  /**
   * The id of the row that has the unique key which an insert or update was refused for. It is read outside the transaction: that
   * one has failed, and can only be rolled back.
   */
  async idOfUnique(ctx: Tenant, uniqueKey: string, key = 'uniqueKey'): Promise<string | undefined> {
    const { organizationId, environment, projects } = ctx;
    // The other record may be of a project that is not reached.
    if (projects) return undefined;
    const { table, tableName } = this.sql;
    const column = snakeCase(key);
    const text = `SELECT id FROM ${table} WHERE organization_id = $1 AND environment = $2 AND ${column} = $3`;
    const sql = declare({ name: `${tableName}.${column.replace(/_key$/, '')}`, text });
    return (await this.database.shortRead<{ id: string }>(sql, [organizationId, environment, uniqueKey]))[0]?.id;
  }

  private async explainDuplicate(ctx: Tenant, row: object, error: unknown): Promise<never> {
    const broken = brokenConstraint(error);
    const rule = broken === undefined ? undefined : this.unique.find(({ index }) => index === broken);
    if (!rule) throw error;
    throw Problem.alreadyUsed(rule.fields, rule.noun, await this.idOfUnique(ctx, rule.keyOf(row)!, rule.key), error);
  }

  /** One page, newest first, and the number of rows, counted up to a bound: one statement whatever the filters. */
  async page(ctx: ReadContext, query: PageRequest, filters: Filters<Row> = {}): Promise<PageOf<Row>> {
    const { organizationId, environment } = ctx;
    const all = { ...filters, ...this.reachOf(ctx, filters), before: query.before, changedSince: query.changed_since };
    const used = Object.entries(all).filter(([name, value]) => name !== 'search' && value !== undefined);
    const term = typeof filters.search === 'string' ? foldText(filters.search) : undefined;
    const offset = BigInt(query.page - 1) * BigInt(query.page_size);
    const names = used.map(([name]) => name);
    // A reset deletes records that are kept otherwise.
    const listed = environment === 'test' ? { ...this.listed, keepsAll: false } : this.listed;
    const shape = shapeOf(names, term !== undefined, offset, listed);
    const isKept = hasAllKept(listed, shape);
    const far = isKept && !shape.isNear ? await this.farPage(ctx, query, offset) : undefined;
    if (far) return far;
    // One row more than the page tells whether another page follows, also where the count has ended.
    const size = query.page_size + 1;
    const list = JSON.stringify([used, term]);
    const isLong = !isKept && this.longLists.has(ctx, list);
    const below = SettledCounts.below();
    const plain = isKept ? keptParams(this.settledCounts.get(ctx), below) : plainParams(isLong);
    const further = term === undefined ? plain : searchParams(term, offset + BigInt(size), isLong);
    const params = [organizationId, environment, size, offset.toString(), ...used.map(filterValue), ...further];
    const found = await this.database.longRead<Row & Counts>(this.pageSql(shape, listed), params, ctx);
    // A page past the end is one row with nothing but the counts.
    const rows = found[0]!.id === null ? [] : found;
    const { total, settled } = found[0]!;
    const most = term === undefined ? mostCounted(this.sql, names, this.listed) : FOUND_AT_MOST;
    const isOver = total > most || (isLong && rows.length > 0);
    if (isKept) this.settledCounts.set(ctx, { count: isOver ? total : settled!, below });
    else if (isOver && !isLong) this.longLists.add(ctx, list);
    return this.pageOf(ctx, rows, query.page_size, isOver ? { total: most, totalRelation: 'at_least' } : { total, totalRelation: 'exact' });
  }

  /** The filters of a context of some projects. One project is found by its index, as if it was asked for. */
  private reachOf(ctx: Tenant, filters: Filters<Row>): Readonly<Record<string, unknown>> {
    const { projects } = ctx;
    if (!projects) return {};
    if (!this.projectIn) return this.ofIdWithinSql ? { [PROJECTS]: projects } : requireAll(ctx);
    const asked = filters[this.projectIn];
    if (asked !== undefined) return projects.includes(String(asked)) ? {} : { [PROJECTS]: projects };
    return projects.length === 1 && !this.listed.isForAll ? { [this.projectIn]: projects[0] } : { [PROJECTS]: projects };
  }

  /** A far page of a list that is longer than is counted; undefined if it must be read from the start of the list. */
  private async farPage(ctx: ReadContext, { page_size: pageSize }: PageRequest, offset: bigint): Promise<PageOf<Row> | undefined> {
    if (this.settledCounts.get(ctx).count <= COUNTED_AT_MOST || offset > Number.MAX_SAFE_INTEGER) return undefined;
    const { organizationId, environment } = ctx;
    const landmark = this.farPages.before(ctx, Number(offset));
    const statement = this.pageSql({ filters: [], isSearch: false, isNear: false, isBelow: true });
    const params = [organizationId, environment, pageSize + 1, offset.toString(), ...landmarkParams(landmark)];
    const found = await this.database.longRead<Row & Counts & { readonly landmark: string | null }>(statement, params, ctx);
    const { id, settled, landmark: before } = found[0]!;
    if (!this.farPages.isFound(ctx, landmark, { offset: Number(offset), newer: settled!, id: before })) return undefined;
    return this.pageOf(ctx, id === null ? [] : found, pageSize, { total: COUNTED_AT_MOST, totalRelation: 'at_least' });
  }

  private pageOf(
    { organizationId, environment }: Tenant,
    rows: Row[],
    pageSize: number,
    total: Pick<PageOf<Row>, 'total' | 'totalRelation'>,
  ): PageOf<Row> {
    return {
      rows: rows.slice(0, pageSize).map((row) => Object.assign(row, { organizationId, environment })),
      ...total,
      hasMore: rows.length > pageSize,
    };
  }

  /** How many rows, or those of a project or of none, have each value of a column; undefined if they are too many to count for a page. */
  async countsBy(ctx: ReadContext, property: keyof Row & string, projectId?: string | null): Promise<Counted | undefined> {
    requireAll(ctx);
    const { table, tableName } = this.sql;
    const column = this.columnOf(property);
    const within = projectId === undefined ? 'true' : `project_id ${projectId === null ? 'IS NULL' : '= $3'}`;
    const where = `organization_id = $1 AND environment = $2 AND ${within}`;
    const rows = `SELECT ${column} AS value FROM ${table} WHERE ${where} LIMIT ${COUNTED_BY_VALUE + 1}`;
    const text = `SELECT value, count(*)::int AS count FROM (${rows}) AS counted GROUP BY value`;
    const sql = declare({ name: `${tableName}.counts:${column}:${within}`, text });
    const params = [ctx.organizationId, ctx.environment, projectId ?? []].flat();
    const found = await this.database.shortRead<{ value: string; count: number }>(sql, params, ctx.trace);
    const counts = new Map(found.map(({ value, count }) => [value, count]));
    return totalOf(counts) <= COUNTED_BY_VALUE ? counts : undefined;
  }

  /** TypeORM's `find`; its `where` is narrowed to the tenant. */
  async find(ctx: ReadContext, options: FindManyOptions<Row> = {}): Promise<Row[]> {
    const alternatives = Array.isArray(options.where) ? options.where : [options.where ?? {}];
    const where = alternatives.map((one) => this.ofTenant(ctx, one));
    return this.database
      .manager(ctx.unit)
      .find<Row>(this.entity, { ...options, where })
      .catch(rethrow);
  }

  /** TypeORM's `findOneBy`, narrowed to the tenant. */
  async findOneBy(ctx: ReadContext, where: FindOptionsWhere<Row>): Promise<Row | undefined> {
    return (await this.database.manager(ctx.unit).findOneBy(this.entity, this.ofTenant(ctx, where)).catch(rethrow)) ?? undefined;
  }

  /** What people call rows, by their ids: a column of them. */
  async findNames(ctx: ReadContext, ids: readonly (string | null)[], property: keyof Row & string): Promise<ReadonlyMap<string, string>> {
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    if (wanted.length === 0) return new Map();
    const { table, tableName } = this.sql;
    const column = this.columnOf(property);
    const { projects } = ctx;
    if (!this.ofIdWithinSql) requireAll(ctx);
    const within = projects ? withinProjects(this.sql, this.listed, '$4') : '';
    const text = `SELECT id, ${column} AS name FROM ${table} WHERE id = ANY ($1) AND organization_id = $2 AND environment = $3${within}`;
    const sql = declare({ name: `${tableName}.names:${column}${projects ? '/own' : ''}`, text });
    const params = [wanted, ctx.organizationId, ctx.environment, ...(projects ? [projects] : [])];
    type Named = { readonly id: string; readonly name: string };
    const rows = ctx.unit
      ? await this.database.rows<Named>(sql, params, ctx.unit)
      : await this.database.shortRead<Named>(sql, params, ctx.trace);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** TypeORM's query builder with the tenant as its first condition. Add conditions by `andWhere`: `where` would replace it. */
  createQueryBuilder(ctx: ReadContext, alias: string): Omit<SelectQueryBuilder<Row>, 'where' | 'orWhere'> {
    requireAll(ctx);
    const { organizationId, environment } = ctx;
    const condition = `${alias}.organizationId = :organizationId AND ${alias}.environment = :environment`;
    return this.database.manager(ctx.unit).createQueryBuilder(this.entity, alias).where(condition, { organizationId, environment });
  }

  private ofTenant(ctx: Tenant, where: FindOptionsWhere<Row>): FindOptionsWhere<Row> {
    const { organizationId, environment, projects } = ctx;
    const reached = { ...where, organizationId, environment } as FindOptionsWhere<Row> & Record<string, unknown>;
    if (!projects) return reached;
    if (!this.projectIn) return this.listed.isForAll ? reached : requireAll(ctx);
    const asked = reached[this.projectIn];
    // What compares otherwise than by a value is narrowed by nothing here.
    if (asked !== undefined && typeof asked !== 'string') return outOfReach();
    return { ...reached, [this.projectIn]: In(projects.filter((one) => asked === undefined || one === asked)) };
  }

  private columnOf(property: string): string {
    return this.sql.columns.find((one) => one.property === property)!.column;
  }

  /** At once, for what the transaction itself reads; and after the commit, since others count the old rows until then. */
  private clearLongLists(ctx: InUnit): void {
    this.longLists.clear(ctx);
    ctx.unit.afterCommit.push(() => this.longLists.clear(ctx));
  }

  private pageSql(shape: PageShape, listed = this.listed): Sql {
    const name = nameOf(this.sql, shape, listed);
    const statement = this.pageSqls.get(name) ?? pageSql(this.sql, shape, listed);
    this.pageSqls.set(name, statement);
    return statement;
  }
}

const declare = (sql: NamedText): Sql => declareSql(sql, 'tenant');

type ById = Readonly<Record<'get' | 'lock' | 'hold' | 'remove', Sql>>;

/** With `within`, those of contexts of some projects. */
function byIdOf(sql: EntitySql, within?: ListOptions): ById {
  const { table, tableName } = sql;
  const [name, byId] = [`${tableName}${within ? '/own' : ''}`, 'id = $1 AND organization_id = $2 AND environment = $3'];
  const [read, removed] = [within, within && { ...within, isForAll: false }].map(
    (one) => byId + (one ? withinProjects(sql, one, '$4') : ''),
  );
  return {
    get: declare({ name: `${name}.get`, text: `SELECT ${selectList(sql)} FROM ${table} WHERE ${read}` }),
    lock: declare({ name: `${name}.lock`, text: `SELECT ${selectList(sql)} FROM ${table} WHERE ${read} FOR UPDATE` }),
    hold: declare({ name: `${name}.share`, text: `SELECT ${selectList(sql)} FROM ${table} WHERE ${read} FOR SHARE` }),
    remove: declare({ name: `${name}.remove`, text: `DELETE FROM ${table} WHERE ${removed} RETURNING ${selectList(sql)}` }),
  };
}

function rethrow(error: unknown): never {
  throw readError(error);
}
