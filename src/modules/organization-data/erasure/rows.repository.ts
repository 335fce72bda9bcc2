import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { Database, isLockTimeout, type Statement } from '../../../store/database/database.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import type { Part } from '../../../store/tenant/organization-tables.js';
import type { OrganizationTable } from '../catalogue.repository.js';

/** How many records are deleted with their parts at once, and how many pages of a table are searched at once. */
const RECORDS_AT_ONCE = 200;
const PAGES_AT_ONCE = 200;
/** How often a statement is repeated because another one holds a lock for longer than statements wait. */
const MAX_ATTEMPTS = 6;

const quote = (name: string): string => pg.escapeIdentifier(name);

/** A table whose rows are found by records of another one. */
export interface PartTable {
  readonly name: string;
  readonly hasOrganization: boolean;
  readonly part: Part;
  /** The type of the column that names the record. */
  readonly type: string;
}

/** Deletes the rows of an organization, so many per statement that nothing else is delayed. It can be interrupted and repeated. */
@Injectable()
export class RowsRepository {
  constructor(private readonly database: Database) {}

  /** All rows of the organization in a table, with those of other tables that belong to them. */
  async erase(organizationId: string, table: OrganizationTable, partTables: readonly PartTable[]): Promise<void> {
    if (partTables.length > 0) await this.eraseWithParts(organizationId, table, partTables);
    else if (table.isIndexed) await this.eraseSome(table.name, 'organization_id = $1', [organizationId]);
    else await this.eraseByPages(organizationId, table.name);
  }

  private async eraseWithParts(organizationId: string, { name }: OrganizationTable, partTables: readonly PartTable[]): Promise<void> {
    const keys = [...new Set(['id', ...partTables.map(({ part }) => part.key)])];
    const list = keys.map((key) => `${quote(key)}::text`).join(', ');
    const text = `SELECT ${list} FROM ${quote(name)} WHERE organization_id = $1 LIMIT ${RECORDS_AT_ONCE}`;
    for (;;) {
      const records = await this.rows<Record<string, string>>({ name: `erase.${name}.next`, text }, [organizationId]);
      if (records.length === 0) return;
      const valuesOf = (key: string): string[] => records.map((record) => record[key]!);
      for (const { name: partName, hasOrganization, part, type } of partTables) {
        const owner = hasOrganization ? 'organization_id = $1' : '$1::uuid IS NOT NULL';
        await this.eraseSome(partName, `${owner} AND ${quote(part.column)} = ANY ($2::${type}[])`, [organizationId, valuesOf(part.key)]);
      }
      await this.eraseSome(name, 'organization_id = $1 AND id = ANY ($2::uuid[])', [organizationId, valuesOf('id')]);
    }
  }

  /** Rows for which a condition holds, until there are none. Rows that change meanwhile are found again. */
  private async eraseSome(table: string, condition: string, values: readonly unknown[]): Promise<void> {
    const from = `${quote(table)} WHERE ${condition}`;
    const text = `WITH found AS (SELECT ctid FROM ${from} LIMIT ${ROWS_PER_DELETE}),
      gone AS (DELETE FROM ${from} AND ctid = ANY (ARRAY(SELECT ctid FROM found)))
      SELECT count(*)::int AS found FROM found`;
    while ((await this.rows<{ found: number }>({ name: '', text }, values))[0]!.found > 0);
  }

  /** Reads the whole table once, some pages at a time, since no index finds the rows. */
  private async eraseByPages(organizationId: string, table: string): Promise<void> {
    const text = `DELETE FROM ${quote(table)} WHERE organization_id = $1 AND ctid >= $2::tid AND ctid < $3::tid`;
    const end = await this.pagesOf(table);
    for (let page = 0; page < end; page += PAGES_AT_ONCE) {
      await this.rows({ name: `erase.${table}.pages`, text }, [organizationId, `(${page},0)`, `(${page + PAGES_AT_ONCE},0)`]);
    }
  }

  /** Of a partitioned table, the pages of its largest partition: a condition on pages means those of each partition. */
  private async pagesOf(table: string): Promise<number> {
    const text = `SELECT max(ceil(pg_relation_size(relation) / current_setting('block_size')::numeric))::int AS pages
      FROM (SELECT relid::oid AS relation FROM pg_partition_tree(to_regclass($1)) UNION ALL SELECT to_regclass($1)::oid) AS tree`;
    return (await this.rows<{ pages: number | null }>({ name: 'erase.pages', text }, [quote(table)]))[0]!.pages ?? 0;
  }

  private async rows<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.database.rows<Row>(statement, values);
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isLockTimeout(error)) throw error;
      }
    }
  }
}
