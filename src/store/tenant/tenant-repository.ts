import type { SelectQueryBuilder } from 'typeorm';
import type { ReadContext, Unit } from '../database/transaction.js';
import type { Tenant } from '../../kernel/context.js';
import { COUNTED_AT_MOST, type PageOf, type PageRequest } from './page.js';
import { foldText } from '../../kernel/text.js';
import { AmpleCounts } from './ample-counts.js';
import type { Database, Statement } from '../database/database.js';
import { entityColumns, selectList, type ColumnSql, type EntitySql } from '../database/sql.js';
import { pageStatement, plainValues, searchValues } from './page-statement.js';
import type { TenantRow } from './tenant-row.js';

type InUnit = Tenant & { readonly unit: Unit };

/** Equality per column; `search` is a case-insensitive substring of the column `searchKey`. What is undefined does not filter. */
export type Filters<Row> = Partial<Record<keyof Row | 'search', string | boolean | null | undefined>>;

/**
 * Rows of one table, always those of one organization and environment. Its statements are made once from the entity and
 * prepared by the server: a third of the cost of building them per call.
 */
export abstract class TenantRepository<Row extends TenantRow> {
  private readonly sql: EntitySql;
  private readonly getStatement: Statement;
  private readonly lockStatement: Statement;
  private readonly insertStatement: Statement;
  private readonly removeStatement: Statement;
  private readonly pages = new Map<string, Statement>();
  private readonly ample = new AmpleCounts();

  constructor(
    protected readonly database: Database,
    private readonly entity: new () => Row,
  ) {
    this.sql = entityColumns(entity);
    const { table, tableName, columns } = this.sql;
    const mine = 'id = $1 AND organization_id = $2 AND environment = $3';
    this.getStatement = { name: `${tableName}.get`, text: `SELECT ${selectList(this.sql)} FROM ${table} WHERE ${mine}` };
    this.lockStatement = { name: `${tableName}.lock`, text: `${this.getStatement.text} FOR UPDATE` };
    const places = columns.map((_column, index) => `$${index + 1}`);
    this.insertStatement = {
      name: `${tableName}.insert`,
      text: `INSERT INTO ${table} (${columns.map(({ column }) => column).join(', ')}) VALUES (${places.join(', ')})`,
    };
    this.removeStatement = { name: `${tableName}.remove`, text: `DELETE FROM ${table} WHERE ${mine} RETURNING ${selectList(this.sql)}` };
  }

  async get(ctx: ReadContext, id: string): Promise<Row | undefined> {
    const values = [id, ctx.organizationId, ctx.environment];
    const [row] = ctx.unit
      ? await this.database.rows<Row>(this.getStatement, values, ctx.unit)
      : await this.database.shortRead<Row>(this.getStatement, values);
    return row;
  }

  /** The row, locked until the transaction ends: two changes of one record follow each other. */
  async lock(ctx: InUnit, id: string): Promise<Row | undefined> {
    const [row] = await this.database.rows<Row>(this.lockStatement, [id, ctx.organizationId, ctx.environment], ctx.unit);
    return row;
  }

  async insert(ctx: InUnit, row: Row): Promise<void> {
    const own: Row = { ...row, organizationId: ctx.organizationId, environment: ctx.environment };
    await this.database.rows(
      this.insertStatement,
      this.sql.columns.map((column) => valueOf(own, column)),
      ctx.unit,
    );
  }

  /** Writes the given properties of a row. */
  async update(ctx: InUnit, row: Row, properties: readonly (keyof Row & string)[]): Promise<void> {
    const { table, tableName, columns } = this.sql;
    const changed = columns.filter(({ property }) => (properties as readonly string[]).includes(property));
    const assignments = changed.map(({ column }, index) => `${column} = $${index + 4}`);
    const text = `UPDATE ${table} SET ${assignments.join(', ')} WHERE id = $1 AND organization_id = $2 AND environment = $3`;
    const name = `${tableName}.update:${columns.flatMap(({ property }, index) => (changed.some((column) => column.property === property) ? [index] : [])).join(',')}`;
    this.forgetAmple(ctx);
    await this.database.rows(
      { name, text },
      [row.id, ctx.organizationId, ctx.environment, ...changed.map((column) => valueOf(row, column))],
      ctx.unit,
    );
  }

  /** Takes the row out, and answers with it as it was; undefined where there is none. It needs no lock before: of two calls one finds it. */
  async remove(ctx: InUnit, id: string): Promise<Row | undefined> {
    this.forgetAmple(ctx);
    const [row] = await this.database.rows<Row>(this.removeStatement, [id, ctx.organizationId, ctx.environment], ctx.unit);
    return row;
  }

  /** One page, newest first, and how many there are, counted up to a bound: one statement whatever the filters. */
  async page(ctx: ReadContext, query: PageRequest, filters: Filters<Row> = {}): Promise<PageOf<Row>> {
    const used = Object.entries(filters).filter(([name, value]) => name !== 'search' && value !== undefined);
    const sought = typeof filters.search === 'string' ? foldText(filters.search) : undefined;
    const statement = this.pageStatement(
      used.map(([name]) => name),
      sought !== undefined,
    );
    const offset = BigInt(query.page - 1) * BigInt(query.page_size);
    // One row more than the page tells whether another page follows, also where the count has ended.
    const size = query.page_size + 1;
    const last = offset + BigInt(size);
    const list = JSON.stringify([used, sought]);
    const isAmple = this.ample.has(ctx, list);
    const further = sought === undefined ? plainValues(isAmple) : searchValues(sought, last, isAmple);
    const parameters = [ctx.organizationId, ctx.environment, size, offset.toString(), ...used.map(([, value]) => value), ...further];
    const found = await this.database.rows<Row & { total: number }>(statement, parameters, ctx.unit);
    // The count stands on every row; a page past the end is one row with nothing but the count.
    const rows = found.filter(({ id }) => id !== null);
    const { total } = found[0]!;
    const isOver = total > COUNTED_AT_MOST || (isAmple && rows.length > 0);
    if (isOver && !isAmple) this.ample.add(ctx, list);
    return {
      rows: rows.slice(0, query.page_size),
      total: isOver ? COUNTED_AT_MOST : total,
      totalRelation: isOver ? 'at_least' : 'exact',
      hasMore: rows.length > query.page_size,
    };
  }

  /** For queries of a repository's own: already bound to the tenant, and in its transaction if there is one. To be narrowed by andWhere. */
  protected select(ctx: ReadContext, alias: string): SelectQueryBuilder<Row> {
    return this.database
      .builder(this.entity, alias, ctx.unit)
      .where(`${alias}.organizationId = :organizationId AND ${alias}.environment = :environment`, {
        organizationId: ctx.organizationId,
        environment: ctx.environment,
      });
  }

  /** Now, for what the transaction itself reads; and once it is committed, since others still count what was there until then. */
  private forgetAmple(ctx: InUnit): void {
    this.ample.forget(ctx);
    ctx.unit.afterCommit.push(() => this.ample.forget(ctx));
  }

  private pageStatement(filters: readonly string[], isSearch: boolean): Statement {
    const name = [...filters, isSearch].join();
    const statement = this.pages.get(name) ?? pageStatement(this.sql, filters, isSearch);
    this.pages.set(name, statement);
    return statement;
  }
}

function valueOf(row: object, { property, write }: ColumnSql): unknown {
  return write((row as Record<string, unknown>)[property]);
}
