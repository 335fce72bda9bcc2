import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { Settings } from '../../kernel/settings/settings.js';
import { cutOff, sendTogether } from './borrowed.js';
import { BEGIN_WITH_SETTINGS, poolOptions } from './connection-options.js';
import { execute, executeOnce, prepared, type Sql } from './prepared-statements.js';

/** How long a read waits for the replica to come as far as the primary. Replicas are usually a few milliseconds behind. */
const PATIENCE_MS = 50;
const ASKED_EVERY_MS = 5;
/** A replica that is silent must not hold up a read that the primary can answer. */
const CONNECTED_WITHIN_MS = 500;
const ANSWERED_WITHIN_MS = 3000;
/** How long a replica is not asked after it failed or was too far behind. */
const PAUSE_MS = 1000;
/** The servers that copy each other, the database in them, and the schema in that. */
export const IDENTITY = "concat_ws('/', (pg_control_system()).system_identifier, current_database(), current_schema())";
/** How far the primary has come: what was acknowledged is on its disk. */
export const POSITION = prepared({
  name: 'replica.position',
  text: `SELECT pg_current_wal_flush_lsn()::text AS position, ${IDENTITY} AS identity`,
});
/** The position of another database says nothing. */
const IS_HERE = prepared({
  name: 'replica.is_here',
  text: `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AND ${IDENTITY} = $2 AS "isHere"`,
});

export interface Position {
  readonly position: string;
  readonly identity: string;
}

/** Callers do not notice: a read is answered once the replica has all that the primary had when it began, by any writer. */
export class ReadReplica {
  private readonly pool: pg.Pool;
  private readonly isPooled: boolean;
  private pausedUntil = 0;

  constructor(url: string, settings: Settings) {
    this.isPooled = settings.databasePooler === 'transaction';
    this.pool = new pg.Pool({ ...poolOptions(url, settings), connectionTimeoutMillis: CONNECTED_WITHIN_MS });
    this.pool.on('error', () => undefined);
    // Between statements nobody waits for an answer, and an 'error' event without a listener would end the process.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  get isAsked(): boolean {
    return performance.now() >= this.pausedUntil;
  }

  /** The rows, as they were on the primary at `position` or later; undefined if the replica is away, too far behind or none of it. */
  async rows<Row extends object>(position: Position, statement: Sql, values: readonly unknown[]): Promise<Row[] | undefined> {
    const begin = performance.now();
    try {
      do {
        const found = await this.ask<Row>(position, statement, values);
        if (found) return found;
        await delay(ASKED_EVERY_MS);
      } while (performance.now() - begin < PATIENCE_MS);
    } catch {
      // Whatever it is, the primary answers.
    }
    this.pausedUntil = performance.now() + PAUSE_MS;
    return undefined;
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  /** Both leave together. What the second reads is at least as new as what the first has seen. */
  private async ask<Row extends object>(
    { position, identity }: Position,
    statement: Sql,
    values: readonly unknown[],
  ): Promise<Row[] | undefined> {
    const client = await this.pool.connect();
    const timer = setTimeout(() => cutOff(client), ANSWERED_WITHIN_MS);
    try {
      sendTogether(client);
      // Behind a pooler no statement is prepared, and a transaction has the timeouts.
      const run = this.isPooled ? executeOnce : execute;
      const begun = this.isPooled && client.query(BEGIN_WITH_SETTINGS);
      const sent = [run<{ isHere: boolean }>(client, IS_HERE, [position, identity]), run<Row>(client, statement, values)] as const;
      const [here, found] = await Promise.all([...sent, begun, this.isPooled && client.query('COMMIT')]);
      client.release();
      return here[0]?.isHere === true ? found : undefined;
    } catch (error) {
      client.release(error instanceof pg.DatabaseError ? undefined : (error as Error));
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const ASKED = `SELECT ${IDENTITY} AS identity, pg_is_in_recovery() AS follows`;

interface Server {
  readonly identity: string;
  readonly follows: boolean;
}

/** Throws if `replica` is no copy of the primary: nothing would be read from it. Returns whether it follows the primary now. */
export async function requireReplica(primary: DataSource, replica: DataSource): Promise<boolean> {
  const [[one], [other]] = await Promise.all([primary.query<[Server]>(ASKED), replica.query<[Server]>(ASKED)]);
  if (one.identity !== other.identity)
    throw new Error('DATABASE_READ_URL leads to another database or schema than DATABASE_URL, so it is not used.');
  return other.follows;
}
