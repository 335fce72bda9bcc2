import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { Settings } from '../../../kernel/settings/settings.js';
import { Database, isLockTimeout, prepared, type Sql } from '../../../store/database/database.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import { CatalogueRepository, type OrganizationTable, type Weight } from '../catalogue.repository.js';
import { ownedBy } from '../owned-rows.js';
import { Snapshot } from '../snapshot.js';

/** How many rows a statement deletes: as many as take about as long as a thousand small ones. */
const ROWS_AT_ONCE: Record<Weight, number> = { file: 4, document: 100, values: ROWS_PER_DELETE };
/** Where Postgres has a row: what identifies it in a table without a primary key. */
const PLACE = { name: 'ctid', type: 'tid' };
/** How often a statement is repeated because another one holds a lock for longer than statements wait. */
const MAX_ATTEMPTS = 6;

/**
 * Deletes the rows of an organization, so few per statement that nothing else is delayed. Their keys are read once, since to
 * search for the next rows with each statement would mean to pass those that are deleted already. Can be interrupted and repeated.
 */
@Injectable()
export class RowsRepository {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly catalogue: CatalogueRepository,
  ) {}

  /** Deletes all rows of the organization in the tables that are included, and what belongs to these rows in others. */
  async erase(organizationId: string, isIncluded: (table: string) => boolean): Promise<void> {
    const tables = inOrder(await this.catalogue.organizationTables(), isIncluded);
    const snapshot = await Snapshot.open(this.settings);
    try {
      // What was written meanwhile is found next time.
      for (const table of tables)
        if (table.erasedBy === undefined) while ((await this.pass(organizationId, table, snapshot)) > 0);
        else await this.call(table.erasedBy, organizationId);
    } finally {
      await snapshot.close();
    }
  }

  private async pass(organizationId: string, table: OrganizationTable, snapshot: Snapshot): Promise<number> {
    await snapshot.renew();
    const name = pg.escapeIdentifier(table.name);
    const owned = ownedBy(table, organizationId);
    // Without a primary key, a row has only its place. In a partitioned table that names a row in each partition; those of others do
    // not fulfil the condition. Copies of a table on several servers have the same keys, but not the same places.
    const key = table.key.length > 0 ? table.columns.filter(({ name: column }) => table.key.includes(column)) : [PLACE];
    const columns = key.map(({ name: column }) => pg.escapeIdentifier(column));
    const arrays = key.map(({ type }, index) => `$${index + 1}::${type}[]`);
    const isOwn = ownedBy({ ...table, parts: table.hasOrganization ? [] : table.parts }, organizationId);
    const ofBatch = `(${columns.join(', ')}) IN (SELECT * FROM unnest(${arrays.join(', ')}))`;
    const deletion = prepared({ name: '', text: `DELETE FROM ${name} WHERE ${isOwn} AND ${ofBatch}` });
    let found = 0;
    for await (const rows of snapshot.batches<{ key: string[] }>(
      `SELECT ARRAY[${columns.map((column) => `${column}::text`).join(', ')}] AS key FROM ${name} WHERE ${owned}`,
      ROWS_AT_ONCE[table.weight],
    )) {
      await this.run(
        deletion,
        key.map((_column, index) => rows.map((row) => row.key[index])),
      );
      found += rows.length;
    }
    return found;
  }

  private async call(erasedBy: string, organizationId: string): Promise<void> {
    const statement = prepared({ name: '', text: `SELECT ${erasedBy}($1, $2) AS last` });
    let last: string | null = '-infinity';
    while (last !== null) [{ last }] = await this.run<[{ last: string | null }]>(statement, [organizationId, last]);
  }

  private async run<Rows>(statement: Sql, values: readonly unknown[]): Promise<Rows> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await this.database.rows(statement, values)) as Rows;
      } catch (error) {
        if (attempt >= MAX_ATTEMPTS || !isLockTimeout(error)) throw error;
      }
    }
  }
}

/**
 * Parts come right before the records that they belong to: by these they are found, and only by these, since Citus deletes no rows of a
 * table on its coordinator that one of several other tables names.
 */
function inOrder(tables: readonly OrganizationTable[], isIncluded: (table: string) => boolean): OrganizationTable[] {
  const owners = tables.filter(({ name, parts, notErased }) => parts.length === 0 && notErased === undefined && isIncluded(name));
  return owners.flatMap((owner) => [...tables.flatMap((table) => partsOf(table, owner.name)), owner]);
}

const partsOf = (table: OrganizationTable, owner: string): OrganizationTable[] =>
  table.parts.filter(({ of }) => of === owner).map((part) => ({ ...table, parts: [part] }));
