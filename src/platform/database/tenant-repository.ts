import type { SelectQueryBuilder } from 'typeorm';
import type { ReadContext, Tenant } from '../context/request-context.js';
import { COUNTED_AT_MOST, type PageQuery, type PageOf } from '../paging/page.js';
import { foldText } from '../validation/text.js';
import type { Database, Statement } from './database.js';
import { entityColumns, selectList, type ColumnSql, type EntitySql } from './entity-sql.js';
import type { TenantRow } from './tenant-row.js';
import type { Unit } from './unit-of-work.js';

type InUnit = Tenant & { readonly unit: Unit };

/** Equality per column; `search` is a case-insensitive substring of the column `searchKey`. What is undefined does not filter. */
export type Filters<Row> = Partial<Record<keyof Row | 'search', string | null | undefined>>;

/**
 * Rows of one table, always those of one organization and environment. Its statements are made once from the entity and
 * prepared by the server: a third of the cost of building them per call.
 */
export abstract class TenantRepository<Row extends TenantRow> {
  private readonly sql: EntitySql;
  private readonly getStatement: Statement;
  private readonly lockStatement: Statement;
  private readonly insertStatement: Statement;
  private readonly pages = new Map<string, Statement>();

  constructor(protected readonly database: Database, private readonly entity: new () => Row) {
    this.sql = entityColumns(entity);
    const { table, tableName, columns } = this.sql;
    const mine = 'id = $1 AND organization_id = $2 AND environment = $3';
    this.getStatement = { name: `${tableName}.get`, text: `SELECT ${selectList(this.sql)} FROM ${table} WHERE ${mine}` };
    this.lockStatement = { name: `${tableName}.lock`, text: `${this.getStatement.text} FOR UPDATE` };
    const places = columns.map((_column, index) => `$${index + 1}`);
    this.insertStatement = { name: `${tableName}.insert`, text: `INSERT INTO ${table} (${columns.map(({ column }) => column).join(', ')}) VALUES (${places.join(', ')})` };
  }

  async get(ctx: ReadContext, id: string): Promise<Row | undefined> {
    const values = [id, ctx.organizationId, ctx.environment];
    const [row] = ctx.unit ? await this.database.rows<Row>(this.getStatement, values, ctx.unit) : await this.database.shortRead<Row>(this.getStatement, values);
    return row;
  }

  /** The row, locked until the transaction ends: two changes of one record follow each other. */
  async lock(ctx: InUnit, id: string): Promise<Row | undefined> {
    const [row] = await this.database.rows<Row>(this.lockStatement, [id, ctx.organizationId, ctx.environment], ctx.unit);
    return row;
  }

  async insert(ctx: InUnit, row: Row): Promise<void> {
    const own: Row = { ...row, organizationId: ctx.organizationId, environment: ctx.environment };
    await this.database.rows(this.insertStatement, this.sql.columns.map((column) => valueOf(own, column)), ctx.unit);
  }

  /** Writes the given properties of a row. */
  async update(ctx: InUnit, row: Row, properties: readonly (keyof Row & string)[]): Promise<void> {
    const { table, tableName, columns } = this.sql;
    const changed = columns.filter(({ property }) => (properties as readonly string[]).includes(property));
    const assignments = changed.map(({ column }, index) => `${column} = $${index + 4}`);
    const text = `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = $1 AND organization_id = $2 AND environment = $3`;
    const name = `${tableName}.update:${columns.flatMap(({ property }, index) => (changed.some((column) => column.property === property) ? [index] : [])).join(',')}`;
    await this.database.rows({ name, text }, [row.id, ctx.organizationId, ctx.environment, ...changed.map((column) => valueOf(row, column))], ctx.unit);
  }

  /** One page, newest first, and how many there are, counted up to a bound: one statement whatever the filters. */
  async page(ctx: ReadContext, query: PageQuery, filters: Filters<Row> = {}): Promise<PageOf<Row>> {
    const used = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const statement = this.pageStatement(used.map(([name]) => name));
    const offset = (BigInt(query.page - 1) * BigInt(query.page_size)).toString();
    const values = used.map(([name, value]) => (name === 'search' ? likePattern(value) : value));
    // One row more than the page tells whether another page follows, also where the count has ended.
    const parameters = [ctx.organizationId, ctx.environment, query.page_size + 1, offset, ...values];
    const found = await this.database.rows<Row & { total: number }>(statement, parameters, ctx.unit);
    const counted = found[0]?.total ?? 0;
    // The count stands on every row; a page past the end is one row with nothing but the count.
    const rows = found.filter(({ id }) => id !== null);
    return {
      rows: rows.slice(0, query.page_size),
      total: Math.min(counted, COUNTED_AT_MOST),
      totalRelation: counted > COUNTED_AT_MOST ? 'at_least' : 'exact',
      hasMore: rows.length > query.page_size,
    };
  }

  /** For queries of a repository's own: already bound to the tenant, and in its transaction if there is one. To be narrowed by andWhere. */
  protected select(ctx: ReadContext, alias: string): SelectQueryBuilder<Row> {
    return this.database
      .builder(this.entity, alias, ctx.unit)
      .where(`${alias}.organizationId = :organizationId AND ${alias}.environment = :environment`, { organizationId: ctx.organizationId, environment: ctx.environment });
  }

  private pageStatement(filters: readonly string[]): Statement {
    const name = `${this.sql.tableName}.page:${filters.join(',')}`;
    const known = this.pages.get(name);
    if (known) return known;
    const conditions = ['organization_id = $1', 'environment = $2', ...filters.map((filter, index) => this.condition(filter, `$${index + 5}`))];
    const from = `FROM ${this.sql.table} WHERE ${conditions.join(' AND ')}`;
    const text = `SELECT page.*, counted.total FROM (SELECT count(*)::int AS total FROM (SELECT 1 ${from} LIMIT ${COUNTED_AT_MOST + 1}) bounded) counted
      LEFT JOIN LATERAL (SELECT ${selectList(this.sql)} ${from} ORDER BY id DESC LIMIT $3 OFFSET $4::bigint) page ON true`;
    const statement = { name, text };
    this.pages.set(name, statement);
    return statement;
  }

  private condition(filter: string, place: string): string {
    const property = filter === 'search' ? 'searchKey' : filter;
    const column = this.sql.columns.find((candidate) => candidate.property === property)?.column;
    if (!column) throw new Error(`${this.sql.tableName} has no column to filter by ${filter}.`);
    return filter === 'search' ? `${column} LIKE ${place}` : `${column} = ${place}`;
  }
}

function valueOf(row: object, { property, write }: ColumnSql): unknown {
  return write((row as Record<string, unknown>)[property]);
}

function likePattern(search: string): string {
  return `%${foldText(search).replace(/[\\%_]/g, '\\$&')}%`;
}
