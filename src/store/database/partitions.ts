import { Injectable } from '@nestjs/common';
import { Database, type Statement } from './database.js';
import { UnitOfWork } from './unit-of-work.js';

/** A table that is divided by time, in periods that begin at their first moment in UTC. */
export interface Divided {
  readonly table: string;
  /** By a column of times, or by ids that have their time in them (UUIDv7). */
  readonly by: 'time' | 'id';
  readonly period: 'month' | 'week';
}

const ONE_AFTER_THE_OTHER: Statement = { name: 'partitions.lock', text: "SELECT pg_advisory_xact_lock(hashtext('claims.partitions'))" };
const PARTITIONS: Statement = {
  name: 'partitions.of',
  text: 'SELECT child.relname AS name FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid WHERE inhparent = to_regclass($1) ORDER BY 1',
};

/** Makes partitions before they are needed, and drops those that are past: rows go a whole period at a time, and leave no holes. */
@Injectable()
export class Partitions {
  private readonly known = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Sees to it that the period of a time and so many after it have their partitions. */
  async ensure(divided: Divided, time: Date, ahead: number): Promise<void> {
    for (let count = 0; count <= ahead; count += 1) {
      const name = partitionName(divided, periodAt(divided, time, count));
      if (this.known.has(name)) continue;
      await this.unitOfWork.transact(async (unit) => {
        await this.database.rows(ONE_AFTER_THE_OTHER, [], unit);
        await unit.client.query(partitionSql(divided, periodAt(divided, time, count)));
      });
      this.known.add(name);
    }
  }

  /** Drops the partitions that lie wholly before a time; says which. */
  async dropBefore(divided: Divided, time: Date): Promise<string[]> {
    const found = await this.database.rows<{ name: string }>(PARTITIONS, [divided.table]);
    const current = partitionName(divided, periodAt(divided, time, 0));
    // Names sort like the times they begin at.
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

/** The first moment of the period so many after that of a time. Weeks begin on Monday. */
export function periodAt({ period }: Pick<Divided, 'period'>, time: Date, after: number): Date {
  if (period === 'month') return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + after, 1));
  const sinceMonday = (time.getUTCDay() + 6) % 7;
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate() - sinceMonday + 7 * after));
}

function partitionName({ table }: Divided, first: Date): string {
  return `${table}_${first.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/**
 * Made apart and then attached: unlike making it in place, that lets those go on who read and write the other periods. What
 * came before its partition was there is in the default one, if the table has one, and moves over.
 */
export function partitionSql(divided: Divided, first: Date): string {
  const { table, by } = divided;
  const name = partitionName(divided, first);
  const bound = (time: Date): string => `'${by === 'time' ? time.toISOString() : firstIdOf(time)}'`;
  const [from, to] = [bound(first), bound(periodAt(divided, first, 1))];
  const key = by === 'time' ? 'created_at' : 'id';
  return `DO $$ BEGIN
    IF to_regclass('${name}') IS NULL THEN
      CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL);
      IF to_regclass('${table}_default') IS NOT NULL THEN
        LOCK TABLE ${table}_default IN ACCESS EXCLUSIVE MODE;
        WITH moved AS (DELETE FROM ${table}_default WHERE ${key} >= ${from} AND ${key} < ${to} RETURNING *) INSERT INTO ${name} SELECT * FROM moved;
      END IF;
      ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to});
    END IF;
  END $$`;
}

/** The least UUIDv7 of a time. */
function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
