import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import { Problem } from '../../kernel/problems.js';
import { poolOf, runnerOn } from './borrowed.js';
import { SharedConnections } from './shared-connections.js';

/** A statement that the server prepares once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

type Client = Pick<pg.PoolClient, 'query'>;

/** SQLSTATE classes and codes that mean “try again later”: connections, credentials, resources, shutdown, read-only, timeout. */
const UNAVAILABLE = /^(08|28|3D|53|57P0|25006|57014)/;
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';

/** Access to Postgres: named statements, TypeORM's entity manager, and one reading of what errors mean. */
@Injectable()
export class Database implements BeforeApplicationShutdown {
  private readonly shared = new SharedConnections(() => this.pool);

  constructor(readonly dataSource: DataSource) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.shared.close();
  }

  private get pool(): pg.Pool {
    return poolOf(this.dataSource);
  }

  /** Runs one statement: in the open transaction if there is one, else on any connection. */
  async rows<Row extends object>(statement: Statement, values: readonly unknown[], unit?: { readonly client: Client }): Promise<Row[]> {
    try {
      const result = await (unit?.client ?? this.pool).query<Row>({ ...statement, values: values as unknown[] });
      return result.rows;
    } catch (error) {
      throw readError(error);
    }
  }

  /** Like `rows`, for a look-up by key: it shares a connection with the look-ups of other requests. */
  async shortRead<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.shared.query<Row>({ ...statement, values: values as unknown[] })).rows;
    } catch (error) {
      throw readError(error);
    }
  }

  /** TypeORM's entity manager, in the open transaction if there is one: for queries that are not worth a statement of their own. */
  manager(unit?: { readonly client: Client }): EntityManager {
    return unit ? this.dataSource.createEntityManager(runnerOn(this.dataSource, unit.client)) : this.dataSource.manager;
  }

  async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.pool.connect();
      // Between statements nobody waits for an answer, and an 'error' event without a listener would end the process.
      if (client.listenerCount('error') === 0) client.on('error', () => undefined);
      return client;
    } catch (error) {
      throw readError(error);
    }
  }
}

/** TypeORM wraps what the server reported. */
const reported = (error: unknown): unknown => (error instanceof QueryFailedError ? error.driverError : error);

/** Errors of the server stay what they are. That the database is unavailable becomes the problem that callers are told about. */
export function readError(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const cause = reported(error);
  const code = cause instanceof pg.DatabaseError ? cause.code : undefined;
  if (code !== undefined && !UNAVAILABLE.test(code)) return error;
  return new Problem('unavailable', { detail: 'The database is not available at the moment.', headers: { 'Retry-After': '1' }, cause });
}

/** The unique constraint that a failed insert or update has violated, if that is why it failed. */
export function brokenConstraint(error: unknown): string | undefined {
  const cause = reported(error);
  return cause instanceof pg.DatabaseError && cause.code === UNIQUE_VIOLATION ? cause.constraint : undefined;
}

/** Whether the statement gave up waiting for a lock. */
export function isLockTimeout(error: unknown): boolean {
  const cause = reported(error);
  return cause instanceof pg.DatabaseError && cause.code === LOCK_NOT_AVAILABLE;
}
