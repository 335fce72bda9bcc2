import type { Socket } from 'node:net';
import type pg from 'pg';
// @ts-expect-error: it has no types.
import utils from 'pg/lib/utils.js';
import type { DataSource, QueryRunner } from 'typeorm';

// What we take from inside TypeORM and pg because they publish no way to it. docs/dependencies.md lists it with its reasons,
// and borrowed.spec.ts fails when an upgrade takes it away.

/** TypeORM's own pool of connections: hot statements go to it directly, under a name of their own. */
export const poolOf = (dataSource: DataSource): pg.Pool => (dataSource.driver as unknown as { master: pg.Pool }).master;

export type ParameterText = string | Buffer | null;

/** How pg sends a parameter: a list becomes an array of Postgres, another object JSON. */
export const parameterText = (utils as { prepareValue: (value: unknown) => ParameterText }).prepareValue;

/** What the connection waits for an answer to. */
export const awaitedOn = (client: pg.PoolClient): object | null | undefined =>
  (client as unknown as { _activeQuery?: object | null })._activeQuery;

/** A query runner on a connection that is open already, so that TypeORM takes part in our transaction. */
export function runnerOn(dataSource: DataSource, client: Pick<pg.PoolClient, 'query'>): QueryRunner {
  return Object.assign(dataSource.createQueryRunner(), { databaseConnection: client });
}

const streamOf = (client: pg.PoolClient) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Where a connection leads. Undefined for a socket of this machine. */
export const addressOf = (client: pg.PoolClient): string | undefined => streamOf(client).remoteAddress;

/** Ends a connection without a word to the server, which may not be listening. Its statements fail. */
export function cutOff(client: pg.PoolClient): void {
  streamOf(client).destroy();
}

const corked = new WeakSet<object>();

/** One packet for this turn of the event loop: it costs more than the statement in it. To be called before the statements of the turn. */
export function sendTogether(client: pg.PoolClient): void {
  if (corked.has(client)) return;
  const stream = streamOf(client);
  corked.add(client);
  stream.cork();
  setImmediate(() => {
    corked.delete(client);
    stream.uncork();
  });
}
