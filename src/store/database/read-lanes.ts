import type pg from 'pg';
import { gather } from './gather.js';

const LANES = 2;

/**
 * Short reads of many requests share few connections: their statements go out together, in one write, without waiting for
 * each other's answers. Only for reads that cost the same whatever the data, since those behind a slow one would wait.
 */
export class ReadLanes {
  private readonly lanes: Lane[];
  private next = 0;
  private closed = false;

  constructor(private readonly pool: () => pg.Pool) {
    this.lanes = Array.from({ length: LANES }, () => new Lane(pool));
  }

  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    // Calls that are still being answered while the process stops must not take a connection for good.
    if (this.closed) return this.pool().query<Row>(query);
    this.next = (this.next + 1) % LANES;
    return this.lanes[this.next]!.query<Row>(query);
  }

  /** Gives the connections back, so that the pool can end. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }
}

class Lane {
  private client: Promise<pg.PoolClient> | undefined;

  constructor(private readonly pool: () => pg.Pool) {}

  async query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const client = await (this.client ??= this.connect());
    gather(client);
    return client.query<Row>(query);
  }

  async close(): Promise<void> {
    const client = await this.client?.catch(() => undefined);
    client?.removeListener('error', this.giveUp);
    this.client = undefined;
    client?.release();
  }

  private async connect(): Promise<pg.PoolClient> {
    try {
      const client = await this.pool().connect();
      client.once('error', this.giveUp);
      return client;
    } catch (error) {
      this.client = undefined;
      throw error;
    }
  }

  /** A connection that broke: its queries have failed, and the next one takes another. */
  private readonly giveUp = (error: Error): void => {
    const broken = this.client;
    this.client = undefined;
    void broken?.then((client) => client.release(error));
  };
}
