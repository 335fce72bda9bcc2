import type pg from 'pg';
import { sendTogether } from './borrowed.js';

/** How many connections they take from the pool. */
export const SHARED_CONNECTIONS = 2;

/** Sends one statement that is not part of a transaction. */
type Send = <Row extends pg.QueryResultRow>(client: pg.PoolClient, query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;

/**
 * Look-ups by key of many requests share a few connections: their statements go out together, in one write, without waiting
 * for each other's answers. Only for statements that cost the same whatever the data, since those behind a slow one wait.
 */
export class SharedConnections {
  private readonly connections: SharedConnection[];
  private next = 0;
  private isClosed = false;

  constructor(
    private readonly take: () => Promise<pg.PoolClient>,
    private readonly send: Send,
  ) {
    this.connections = Array.from({ length: SHARED_CONNECTIONS }, () => new SharedConnection(take, send));
  }

  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    // Calls that are still being answered while the process stops must not take a connection for good.
    if (this.isClosed) return this.queryAlone<Row>(query);
    this.next = (this.next + 1) % SHARED_CONNECTIONS;
    return this.connections[this.next]!.query<Row>(query);
  }

  private async queryAlone<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const client = await this.take();
    return this.send<Row>(client, query).finally(() => client.release());
  }

  /** Closes the connections. What they are being asked fails. */
  discard(): void {
    for (const connection of this.connections) connection.discard(new Error('The server is read-only.'));
  }

  /** Returns the connections, so that the pool can end. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.connections.map((connection) => connection.close()));
  }
}

class SharedConnection {
  private client: Promise<pg.PoolClient> | undefined;

  constructor(
    private readonly take: () => Promise<pg.PoolClient>,
    private readonly send: Send,
  ) {}

  async query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const client = await (this.client ??= this.connect());
    sendTogether(client);
    return this.send<Row>(client, query);
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    client?.removeListener('error', this.discard);
    this.client = undefined;
    client?.release();
  }

  private async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.take();
      client.once('error', this.discard);
      return client;
    } catch (error) {
      this.client = undefined;
      throw error;
    }
  }

  /** Drops a broken connection. Its queries have failed already; the next query takes another connection. */
  readonly discard = (error: Error): void => {
    const broken = this.client;
    this.client = undefined;
    void broken?.then(
      (client) => client.release(error),
      () => undefined,
    );
  };
}
