import type { DataSource } from 'typeorm';
import { StartError } from '../../kernel/start-error.js';
import { LOCK_TIMEOUT_MS } from './connection-options.js';

/** Where the rows of a table are: spread over the workers, copied to all of them, or on the coordinator alone. */
export type Placement = 'distributed' | 'reference' | 'local';

interface Found {
  readonly name: string;
  readonly placement: Placement;
  readonly isPlaced: boolean;
}

/** A table whose primary and unique keys all name the organization is distributed by it. */
export const PLACEMENTS = `
  SELECT relname AS name, CASE
      WHEN relname = 'organizations' THEN 'reference'
      WHEN organization.attnum IS NULL THEN 'local'
      WHEN EXISTS (SELECT 1 FROM pg_index WHERE indrelid = class.oid AND indisprimary) AND NOT EXISTS (
        SELECT 1 FROM pg_index WHERE indrelid = class.oid AND indisunique AND organization.attnum <> ALL (indkey::int2[]))
      THEN 'distributed' ELSE 'reference' END AS placement
  FROM pg_class class LEFT JOIN pg_attribute organization ON attrelid = class.oid AND attname = 'organization_id' AND NOT attisdropped
  WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace ORDER BY 1`;

/** What distributes the tables of a migrated database over the servers of a Citus cluster. */
export class Distribution {
  constructor(private readonly source: DataSource) {}

  /** The statements that are still to be executed, in their order. Empty if everything is where it belongs. */
  async plan(): Promise<string[]> {
    await this.requireCluster();
    const missing = (await this.tables()).filter(({ isPlaced, placement }) => !isPlaced && placement !== 'local');
    const places = missing.flatMap(({ name, placement }) => [
      placement === 'reference'
        ? `SELECT create_reference_table('${name}')`
        : `SELECT create_distributed_table('${name}', 'organization_id')`,
      // The rows have been copied; those that they were copied from still take space.
      `SELECT truncate_local_data_after_distributing_table('${name}')`,
    ]);
    return [...places, ...(places.length > 0 ? [await this.limitOfWorkers()] : [])];
  }

  /** Executes the plan, each statement by itself. What an interrupted one has left is done by the next. */
  async apply(): Promise<string[]> {
    const statements = await this.plan();
    for (const statement of statements) await this.source.query(statement);
    return statements;
  }

  private async tables(): Promise<Found[]> {
    return this.source.query<Found[]>(
      `SELECT *, EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass(quote_ident(name))) AS "isPlaced"
        FROM (${PLACEMENTS}) AS tables ORDER BY placement DESC, name`,
    );
  }

  /** The sessions of the service limit themselves; those of the coordinator with its workers do not know these limits. */
  private async limitOfWorkers(): Promise<string> {
    const [row] = await this.source.query<{ alter: string }[]>(
      `SELECT quote_literal(format('ALTER DATABASE %I SET lock_timeout = ${LOCK_TIMEOUT_MS}', current_database())) AS alter`,
    );
    return `SELECT run_command_on_workers(${row!.alter})`;
  }

  private async requireCluster(): Promise<void> {
    const [found] = await this.source.query<{ extension: boolean }[]>(
      "SELECT EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS extension",
    );
    if (!found!.extension)
      throw new StartError(
        'The database has no citus extension: its administrator must create it here and on each worker (docs/citus.md).',
      );
    const [nodes] = await this.source.query<{ coordinator: boolean; workers: boolean }[]>(
      `SELECT coalesce(bool_or(groupid = 0), false) AS coordinator, coalesce(bool_or(groupid <> 0), false) AS workers FROM pg_dist_node`,
    );
    if (!nodes!.coordinator || !nodes!.workers)
      throw new StartError(
        'The cluster is not complete: its administrator must call citus_set_coordinator_host and citus_add_node (docs/citus.md).',
      );
  }
}
