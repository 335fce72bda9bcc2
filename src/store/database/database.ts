import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type SelectQueryBuilder } from 'typeorm';
import { Problem } from '../../kernel/problems.js';
import { ReadLanes } from './read-lanes.js';

/** A statement that the server prepares once per connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

type Client = Pick<pg.PoolClient, 'query'>;

/** SQLSTATE classes and codes that say “not now” rather than “not so”. */
const AWAY = /^(08|28|3D|53|57P0|25006|57014)/;

/** The way to Postgres: named statements on the pool or in a transaction, and one reading of what its errors mean. */
@Injectable()
export class Database implements BeforeApplicationShutdown {
  private readonly lanes = new ReadLanes(() => this.pool);

  constructor(readonly dataSource: DataSource) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.lanes.close();
  }

  private get pool(): pg.Pool {
    return (this.dataSource.driver as unknown as { master: pg.Pool }).master;
  }

  /** Runs one statement: in the open transaction when there is one, else on any connection. */
  async rows<Row extends object>(statement: Statement, values: readonly unknown[], unit?: { readonly client: Client }): Promise<Row[]> {
    try {
      const result = await (unit?.client ?? this.pool).query<Row>({ ...statement, values: values as unknown[] });
      return result.rows;
    } catch (error) {
      throw readError(error);
    }
  }

  /** Like `rows`, for a look-up by key: it shares a connection with those of other requests. */
  async shortRead<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.lanes.query<Row>({ ...statement, values: values as unknown[] })).rows;
    } catch (error) {
      throw readError(error);
    }
  }

  /** TypeORM's query builder, for what the prepared statements do not cover. */
  builder<Row extends object>(entity: new () => Row, alias: string, unit?: { readonly client: Client }): SelectQueryBuilder<Row> {
    if (!unit) return this.dataSource.getRepository<Row>(entity).createQueryBuilder(alias);
    // A runner takes a connection of its own unless it has one: here it has the transaction's.
    const runner = Object.assign(this.dataSource.createQueryRunner(), { databaseConnection: unit.client });
    return this.dataSource.createQueryBuilder<Row>(entity, alias, runner);
  }

  async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.pool.connect();
      // Between statements nobody waits for an answer, and an 'error' that nobody listens to would end the process.
      if (client.listenerCount('error') === 0) client.on('error', () => undefined);
      return client;
    } catch (error) {
      throw readError(error);
    }
  }
}

/** Errors of the server stay what they are; that it is away becomes the problem callers are told about. */
export function readError(error: unknown): unknown {
  if (error instanceof Problem) return error;
  const reported = error instanceof pg.DatabaseError ? error.code : undefined;
  if (reported !== undefined && !AWAY.test(reported)) return error;
  return new Problem('unavailable', { detail: 'The database is away for the moment.', headers: { 'Retry-After': '1' }, cause: error });
}

/** The constraint that a failed insert or update has broken, if that is why it failed. */
export function brokenConstraint(error: unknown): string | undefined {
  const UNIQUE_VIOLATION = '23505';
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION ? error.constraint : undefined;
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03';
}
