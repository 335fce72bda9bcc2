import { Injectable } from '@nestjs/common';
import { Database, type Statement } from './database.js';
import { UnitOfWork } from './unit-of-work.js';

/** A table with a partition for each week or month (UTC). */
export interface PartitionedTable {
  readonly table: string;
  /** The partition key: the column `created_at`, or ids that begin with their time (UUIDv7). */
  readonly by: 'time' | 'id';
  readonly period: 'month' | 'week';
}

/** Replicas create partitions one after the other. */
const LOCK: Statement = { name: 'partitions.lock', text: "SELECT pg_advisory_xact_lock(hashtext('claims.partitions'))" };
const PARTITIONS: Statement = {
  name: 'partitions.of',
  text: `SELECT child.relname AS name FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = to_regclass($1) ORDER BY 1`,
};

/** Creates partitions before they are needed and drops old ones. Dropping a partition frees its space at once, unlike a DELETE. */
@Injectable()
export class Partitions {
  private readonly known = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Creates the partition for a time and for as many periods after it, where they are missing. */
  async ensure(table: PartitionedTable, time: Date, periodsAhead: number): Promise<void> {
    for (let count = 0; count <= periodsAhead; count += 1) {
      const start = periodAt(table, time, count);
      const name = partitionName(table, start);
      if (this.known.has(name)) continue;
      await this.unitOfWork.transact(async (unit) => {
        await this.database.rows(LOCK, [], unit);
        await unit.client.query(partitionSql(table, start));
      });
      this.known.add(name);
    }
  }

  /** Drops the partitions that end before a time, and returns their names. */
  async dropBefore(table: PartitionedTable, time: Date): Promise<string[]> {
    const found = await this.database.rows<{ name: string }>(PARTITIONS, [table.table]);
    const current = partitionName(table, periodAt(table, time, 0));
    // Names sort by their start date.
    const past = found.map(({ name }) => name).filter((name) => /_\d{8}$/.test(name) && name < current);
    for (const name of past) {
      await this.unitOfWork.transact(async (unit) => {
        await unit.client.query(`DROP TABLE IF EXISTS ${name}`);
      });
      this.known.delete(name);
    }
    return past;
  }
}

/** The start of the period that contains a time, or of a later one. Weeks begin on Monday. */
export function periodAt({ period }: Pick<PartitionedTable, 'period'>, time: Date, periodsLater: number): Date {
  if (period === 'month') return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + periodsLater, 1));
  const sinceMonday = (time.getUTCDay() + 6) % 7;
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - sinceMonday + 7 * periodsLater));
}

function partitionName({ table }: PartitionedTable, start: Date): string {
  return `${table}_${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/**
 * The partition is created as a table of its own and then attached: unlike CREATE TABLE … PARTITION OF, this does not block reads
 * and writes of the other partitions. Rows that were written before their partition existed are in the default partition, if the
 * table has one, and are moved.
 */
export function partitionSql(partitioned: PartitionedTable, start: Date): string {
  const { table, by } = partitioned;
  const name = partitionName(partitioned, start);
  const bound = (time: Date): string => `'${by === 'time' ? time.toISOString() : firstIdOf(time)}'`;
  const [from, to] = [bound(start), bound(periodAt(partitioned, start, 1))];
  const key = by === 'time' ? 'created_at' : 'id';
  return `DO $$ BEGIN
    IF to_regclass('${name}') IS NULL THEN
      CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL);
      IF to_regclass('${table}_default') IS NOT NULL THEN
        LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE;
        WITH moved AS (DELETE FROM ${table}_default WHERE ${key} >= ${from} AND ${key} < ${to} RETURNING *)
          INSERT INTO ${name} SELECT * FROM moved;
      END IF;
      ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to});
    END IF;
  END $$`;
}

/** The smallest UUIDv7 of a time. */
function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
