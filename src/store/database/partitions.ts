import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { firstIdOf } from '../../kernel/ids.js';
import { Log } from '../../kernel/log.js';
import { unavailable } from '../../kernel/problems.js';
import { Settings } from '../../kernel/settings/settings.js';
import { DatabaseClock } from './database-clock.js';
import { Database, prepared } from './database.js';
import { oneAtATime, ROWS_PER_DELETE } from './housekeeping.js';
import { UnitOfWork } from './unit-of-work.js';
import { acrossTenants } from '../tenant/tenant-sql.js';

/** A table with a partition for each week or month (UTC). */
export interface PartitionedTable {
  readonly table: string;
  /** The partition key: the column `created_at`, or ids that begin with their time (UUIDv7). */
  readonly by: 'time' | 'id';
  readonly period: 'month' | 'week';
}

// The functions are in the migrations: they lock tables for a moment only, and act for a role that owns none.
const CREATE = prepared({ name: 'partitions.create', text: 'SELECT create_partition($1, $2, $3, $4) AS outcome' });
const DROP = prepared({ name: 'partitions.drop', text: 'SELECT drop_partition($1, $2) AS outcome' });
const PARTITIONS = prepared({
  name: 'partitions.of',
  text: `SELECT child.relname AS name FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = to_regclass($1) ORDER BY 1`,
});

interface Outcome {
  outcome: 'created' | 'exists' | 'dropped' | 'absent' | 'busy' | 'crowded';
}

/** Dropping frees space at once, unlike a DELETE. No write waits: what a reader of the table prevents is left for the next time. */
@Injectable()
export class Partitions {
  private readonly known = new Set<string>();

  constructor(
    readonly database: Database,
    readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  async ensure(table: PartitionedTable, time: Date, periodsAhead: number): Promise<void> {
    for (let count = 0; count <= periodsAhead; count += 1) {
      const start = periodAt(table, time, count);
      const name = partitionName(table, start);
      if (this.known.has(name)) continue;
      const [from, to] = [boundAt(table, start), boundAt(table, periodAt(table, start, 1))];
      const [row] = await this.database.rows<Outcome>(CREATE, [table.table, name, from, to]);
      const { outcome } = row!;
      if (outcome === 'created' || outcome === 'exists') this.known.add(name);
      else await this.postpone(table, name, outcome, count === 0);
    }
  }

  async dropBefore(table: PartitionedTable, time: Date): Promise<string[]> {
    const names = await this.findNames(table);
    const current = partitionName(table, periodAt(table, time, 0));
    const dropped: string[] = [];
    // Names sort by their start date.
    for (const name of names.filter((found) => /_\d{8}$/.test(found) && found < current)) {
      const [row] = await this.database.rows<Outcome>(DROP, [table.table, name]);
      this.known.delete(name);
      if (row!.outcome === 'busy') this.log.info({ partition: name }, 'old partition is being read: it is dropped later');
      else dropped.push(name);
    }
    if (names.includes(defaultOf(table))) await this.deleteFromDefault(table, periodAt(table, time, 0));
    return dropped;
  }

  /** A table with a default partition can wait for its partitions; another one may have no place for its next row. */
  private async postpone(table: PartitionedTable, name: string, outcome: string, isNeededNow: boolean): Promise<void> {
    this.log.warn({ partition: name, reason: outcome }, 'partition not created yet: it is tried again later');
    if (!isNeededNow || (await this.findNames(table)).includes(defaultOf(table))) return;
    throw unavailable('Storage is being prepared. Try again in a moment.');
  }

  private async findNames({ table }: PartitionedTable): Promise<string[]> {
    return (await this.database.rows<{ name: string }>(PARTITIONS, [table])).map(({ name }) => name);
  }

  private async deleteFromDefault(table: PartitionedTable, before: Date): Promise<void> {
    const statement = deleteFromDefault(table).bind({ before: boundAt(table, before) });
    while ((await oneAtATime(this, ...statement)).length === ROWS_PER_DELETE);
  }
}

/** The start of the period that contains a time, or of a later one. Weeks begin on Monday. */
export function periodAt({ period }: Pick<PartitionedTable, 'period'>, time: Date, periodsLater: number): Date {
  if (period === 'month') return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + periodsLater, 1));
  const sinceMonday = (time.getUTCDay() + 6) % 7;
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - sinceMonday + 7 * periodsLater));
}

const partitionName = ({ table }: PartitionedTable, start: Date): string =>
  `${table}_${start.toISOString().slice(0, 10).replaceAll('-', '')}`;

const defaultOf = ({ table }: PartitionedTable): string => `${table}_default`;
const boundAt = ({ by }: PartitionedTable, time: Date): string => (by === 'time' ? time.toISOString() : firstIdOf(time));

/** Rows that got no partition of their own. The default partition is never dropped, so they are deleted. */
function deleteFromDefault(table: PartitionedTable) {
  const [name, key] = [defaultOf(table), table.by === 'time' ? 'created_at' : 'id'];
  return acrossTenants(
    `${name}.expire`,
    'A worker deletes old rows of all tenants.',
    `DELETE FROM ${name} WHERE (id, organization_id) IN (
        SELECT id, organization_id FROM ${name} WHERE ${key} < :before LIMIT ${ROWS_PER_DELETE}) RETURNING 1 AS gone`,
  );
}

/** How many periods ahead partitions exist. If no worker runs for longer, rows go into the default partition until one does. */
const PERIODS_AHEAD = 3;
export const RETENTION_INTERVAL_MS = 3_600_000;

/** Creates partitions ahead, at the start and hourly, and drops old ones. A subclass names the table; its @Job method calls `apply`. */
@Injectable()
export abstract class PartitionRetention implements OnApplicationBootstrap {
  protected abstract readonly table: PartitionedTable;

  constructor(
    private readonly partitions: Partitions,
    private readonly clock: DatabaseClock,
    protected readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.partitions.ensure(this.table, this.clock.now(), PERIODS_AHEAD);
  }

  protected async apply(retentionMs: number): Promise<void> {
    const now = this.clock.now();
    await this.partitions.ensure(this.table, now, PERIODS_AHEAD);
    await this.partitions.dropBefore(this.table, new Date(now.getTime() - retentionMs));
  }
}
