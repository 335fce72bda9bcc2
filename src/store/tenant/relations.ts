import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Tenant } from '../../kernel/context.js';
import { pathNamed, Problem } from '../../kernel/problems.js';
import { oneOf } from '../../kernel/text.js';
import type { TenantRow } from '../database/columns.js';
import { Database } from '../database/database.js';
import { declareSql } from '../database/prepared-statements.js';
import { classChain, type EntitySql } from '../database/sql.js';
import type { ReadContext, Unit } from '../database/unit-of-work.js';
import type { PageOf, PageRequest } from './page.js';

/** Of which table the record is that a field has the id of. */
export interface RelationTo {
  readonly table: string;
  /** The other record may be deleted: the field then has the id of a record that is gone. */
  readonly onDelete?: 'allow';
}

/** `field` is named as errors name it: `supplierId`, or `customFields.supplierId`. */
type Relation = RelationTo & { readonly field: string };

/** Of classes of rows, and those of custom fields, of tables. */
const declared = new Map<object | string, Relation[]>();

export function relate(of: object | string, field: string, to: RelationTo): void {
  declared.set(of, [...(declared.get(of) ?? []), { ...to, field }]);
}

/**
 * Declares that a column has the id of a record of another table, of the same tenant. `TenantRepository` looks it up with each write, and
 * refuses to delete a record that is named. Rows made by `RowOf` take it from `RecordOf`.
 */
export function RefersTo(table: string, options: Omit<RelationTo, 'table'> = {}): PropertyDecorator {
  return (row, field) => relate(row.constructor, String(field), { table, ...options });
}

type InUnit = Tenant & { readonly unit: Unit };

/** What a `TenantRepository` is asked for. */
interface Records {
  get(ctx: ReadContext, id: string): Promise<TenantRow | undefined>;
  hold(ctx: InUnit, id: string): Promise<TenantRow | undefined>;
  page(ctx: ReadContext, query: PageRequest): Promise<PageOf<TenantRow>>;
  findNames(ctx: ReadContext, ids: readonly string[], property: 'id'): Promise<ReadonlyMap<string, string>>;
}

/** By database and table. */
const known = new WeakMap<Database, Map<string, NamedRecords>>();

/** The records of a table, as others name them, and what they name themselves. */
export class NamedRecords {
  private readonly tables: Map<string, NamedRecords>;
  readonly relations: readonly Relation[];
  private naming: ReturnType<NamedRecords['namingSql']> | undefined;

  constructor(
    private readonly database: Database,
    readonly records: Records,
    readonly sql: EntitySql,
    private readonly of: { readonly entity: object; readonly keepsAll: boolean | undefined },
  ) {
    this.relations = [...classChain(of.entity), sql.tableName].flatMap((one) => declared.get(one) ?? []);
    this.tables = known.get(database) ?? new Map<string, NamedRecords>();
    known.set(database, this.tables);
    if (!this.tables.has(sql.tableName)) this.tables.set(sql.tableName, this);
  }

  /** Writes a row, and looks up at the same time what it names. If that does not exist, the error rolls the transaction back. */
  async write(ctx: InUnit, row: TenantRow, properties: readonly string[] | undefined, write: () => Promise<void>): Promise<void> {
    const named = this.relations.flatMap((relation) => {
      const id = valueOf(row, relation.field);
      const isWritten = properties?.includes(relation.field.split('.')[0]!) ?? true;
      return isWritten && typeof id === 'string' ? [{ ...relation, id }] : [];
    });
    if (named.length === 0) return write();
    const lookUps = Promise.allSettled(named.map(({ table, id }) => this.tables.get(table)!.find(ctx, id)));
    const [written] = await Promise.allSettled([write()]);
    for (const [at, outcome] of (await lookUps).entries()) {
      const { table, field, id } = named[at]!;
      if (outcome.status === 'rejected') throw outcome.reason;
      if (!outcome.value && !(properties && (await this.hasNamed(ctx, row, field, id)))) throw Problem.relatedMissing(field, oneOf(table));
    }
    if (written.status === 'rejected') throw written.reason;
  }

  /** A record, as it stays until the transaction ends. One that is never deleted stays anyway. */
  private find(ctx: InUnit, id: string): Promise<TenantRow | undefined> {
    return this.of.keepsAll ? this.records.get(ctx, id) : this.records.hold(ctx, id);
  }

  /** Whether the row has named it before: what is gone since, or out of reach, stays. It is read as it was before the transaction. */
  private async hasNamed(ctx: InUnit, { id }: TenantRow, field: string, other: string): Promise<boolean> {
    const before = await this.records.get({ ...ctx, unit: undefined }, id);
    return before !== undefined && valueOf(before, field) === other;
  }

  /** Deletes a record, unless others name it. One that begins to name it at the same moment holds it: it is waited for, and then found. */
  async remove<Row>(ctx: InUnit, id: string, remove: () => Promise<Row[]>): Promise<Row | undefined> {
    this.naming ??= [...this.tables.values()].flatMap((one) => one.namingSql(this.sql.tableName));
    const params = [ctx.organizationId, ctx.environment, id.toLowerCase()];
    const removal = remove();
    const lookUps = this.naming.map(({ sql }) => this.database.rows<{ id: string }>(sql, params, ctx.unit));
    const [removed, ...found] = await Promise.all([removal, ...lookUps]);
    const at = removed.length === 0 ? -1 : found.findIndex(([row]) => row !== undefined);
    if (at < 0) return removed[0];
    const { name, field } = this.naming[at]!;
    // It may be of a project that is not reached.
    const conflictingId = ctx.projects ? undefined : found[at]![0]!.id;
    const such = conflictingId === undefined ? '' : `, such as ${conflictingId}`;
    throw Problem.naming(
      (nameOf) => new Problem('record_in_use', { detail: `${name} name it in ${pathNamed(field, nameOf)}${such}.`, conflictingId }),
    );
  }

  /** What finds a record of this table that names one of the other. */
  private namingSql(other: string) {
    const { table, tableName, columns } = this.sql;
    const name = tableName.slice(0, 1).toUpperCase() + tableName.slice(1).replaceAll('_', ' ');
    return this.relations.filter(keeps(other)).map(({ field }) => {
      const at = columns.findIndex(({ property }) => property === field);
      const text = `SELECT id FROM ${table} WHERE organization_id = $1 AND environment = $2 AND ${columns[at]!.column} = $3 LIMIT 1`;
      return { name, field, sql: declareSql({ name: `${tableName}.naming:${at}`, text }, 'tenant') };
    });
  }
}

const keeps =
  (other: string) =>
  ({ table, onDelete }: Relation): boolean =>
    table === other && onDelete !== 'allow';

const valueOf = (row: object, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], row);

/** The tables whose records can be named, those with a `TenantRepository`. A relation to another one keeps the process from starting. */
@Injectable()
export class RelatedTables implements OnModuleInit {
  constructor(private readonly database: Database) {}

  find(table: string): NamedRecords | undefined {
    return known.get(this.database)?.get(table);
  }

  /** Whether others can keep a record of the table from being deleted. */
  isKept(table: string): boolean {
    return this.all.some(({ relations }) => relations.some(keeps(table)));
  }

  onModuleInit(): void {
    const lost = this.all.flatMap(({ relations, sql: { tableName } }) =>
      relations.flatMap(({ table, field }) => (this.find(table) ? [] : `${tableName}.${field} names a record of ${table}`)),
    );
    if (lost.length > 0) throw new Error(`Bad declarations: no TenantRepository has the records.\n  ${lost.join('\n  ')}`);
  }

  private get all(): NamedRecords[] {
    return [...(known.get(this.database)?.values() ?? [])];
  }
}
