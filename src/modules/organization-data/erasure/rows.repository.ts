import { Injectable } from '@nestjs/common';
import { Settings } from '../../../kernel/settings/settings.js';
import { Database, isLockTimeout, prepared, type Sql } from '../../../store/database/database.js';
import { ROWS_PER_DELETE } from '../../../store/database/housekeeping.js';
import { FileRemoval } from '../../../store/files/stored-files.js';
import { CatalogueRepository, inOrder, type OrganizationTable, ownedBy, quote, type Weight } from '../catalogue.repository.js';
import { Snapshot } from '../export/export.service.js';

/** How many rows a statement deletes: as many as take about as long as a thousand small ones. */
const ROWS_AT_ONCE: Record<Weight, number> = { file: 4, document: 100, values: ROWS_PER_DELETE };
/** How often a statement is repeated because another one holds a lock for longer than statements wait. */
const MAX_ATTEMPTS = 6;

/**
 * Deletes what an organization has: files in a foreign store, then rows. These so few per statement that nothing else is delayed. Their
 * places are read once, since to search for the next rows with each statement would mean to pass those that are deleted already. Can be
 * interrupted and repeated.
 */
@Injectable()
export class RowsRepository {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly catalogue: CatalogueRepository,
    private readonly files: FileRemoval,
  ) {}

  /** With what belongs to the rows in other tables. While a store is away, it throws, and no row goes. */
  async erase(organizationId: string, isIncluded: (table: string) => boolean): Promise<void> {
    await this.files.removeAll(organizationId);
    const tables = inOrder(await this.catalogue.organizationTables(), isIncluded);
    const snapshot = await Snapshot.open(this.settings);
    try {
      // What was written meanwhile is found next time: a row that was changed has another place.
      for (const table of tables)
        if (table.erasedBy === undefined) while ((await this.pass(organizationId, table, snapshot)) > 0);
        else await this.call(table.erasedBy, organizationId);
    } finally {
      await snapshot.close();
    }
  }

  private async pass(organizationId: string, table: OrganizationTable, snapshot: Snapshot): Promise<number> {
    await snapshot.renew();
    const name = quote(table.name);
    const owned = ownedBy(table, organizationId);
    // In a partitioned table a place names a row in each partition. Those of others do not fulfil the condition.
    const isOwn = ownedBy({ ...table, parts: table.hasOrganization ? [] : table.parts }, organizationId);
    const deletion = prepared({ name: '', text: `DELETE FROM ${name} WHERE ${isOwn} AND ctid = ANY ($1::tid[])` });
    let found = 0;
    for await (const rows of snapshot.batches<{ place: string }>(
      `SELECT ctid::text AS place FROM ${name} WHERE ${owned}`,
      ROWS_AT_ONCE[table.weight],
    )) {
      await this.run(deletion, [rows.map(({ place }) => place)]);
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
