import type pg from 'pg';
import { type Execution, parameters, type Sql } from './prepared-statements.js';

/** How many connections they take from the pool. */
export const SHARED_CONNECTIONS = 2;
/** More look-ups than this are sent as several batches. If a statement fails, those behind it in its batch are asked again. */
const MAX_BATCH = 64;

/** Sends look-ups, each of which is answered by itself. */
type Send = (client: pg.PoolClient, lookUps: readonly Execution[]) => void;

/** Those of one turn of the event loop go out together. Only for statements of a constant cost, since those behind a slow one wait. */
export class SharedConnections {
  private readonly connections: SharedConnection[];
  private next = 0;
  /** Calls that are still being answered while the process stops must not take a connection for good. */
  isClosed = false;
  /** The look-ups of this turn. */
  private waiting: Execution[] = [];

  constructor(
    take: () => Promise<pg.PoolClient>,
    private readonly send: Send,
  ) {
    this.connections = Array.from({ length: SHARED_CONNECTIONS }, () => new SharedConnection(take));
  }

  query<Row extends object>(statement: Sql, values: readonly unknown[]): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      this.waiting.push({ statement, values: parameters(values), resolve: resolve as Execution['resolve'], reject });
      if (this.waiting.length === 1) setImmediate(() => this.sendWaiting());
    });
  }

  private sendWaiting(): void {
    const { waiting } = this;
    this.waiting = [];
    for (let start = 0; start < waiting.length; start += MAX_BATCH) void this.sendBatch(waiting.slice(start, start + MAX_BATCH));
  }

  private async sendBatch(lookUps: readonly Execution[]): Promise<void> {
    this.next = (this.next + 1) % SHARED_CONNECTIONS;
    try {
      this.send(await this.connections[this.next]!.client(), lookUps);
    } catch (error) {
      for (const { reject } of lookUps) reject(error);
    }
  }

  /** Closes the connections. What they are being asked fails. */
  discard(): void {
    for (const connection of this.connections) connection.discard(new Error('The server is read-only.'));
  }

  /** Returns the connections, so that the pool can end. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.sendWaiting();
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}

class SharedConnection {
  private taken: Promise<pg.PoolClient> | undefined;

  constructor(private readonly take: () => Promise<pg.PoolClient>) {}

  client(): Promise<pg.PoolClient> {
    return (this.taken ??= this.connect());
  }

  async close(): Promise<void> {
    const client = await this.taken?.catch(() => undefined);
    client?.removeListener('error', this.discard);
    this.taken = undefined;
    client?.release();
  }

  private async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.take();
      client.once('error', this.discard);
      return client;
    } catch (error) {
      this.taken = undefined;
      throw error;
    }
  }

  /** Drops a broken connection. Its queries have failed already; the next query takes another connection. */
  readonly discard = (error: Error): void => {
    const broken = this.taken;
    this.taken = undefined;
    void broken?.then(
      (client) => client.release(error),
      () => undefined,
    );
  };
}
