import { DataSource, type QueryRunner } from 'typeorm';
import type { Settings } from '../../kernel/settings/settings.js';
import { patientConnectionOptions } from '../../store/database/connection-options.js';
import { readError } from '../../store/database/database.js';

const BEGIN = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
  // The moment is that of the first query.
  'SELECT 1',
];

/**
 * The database as it was at one moment, of which any number of rows can be read, a few at a time. It has a connection of its own,
 * since that takes longer than a request may.
 */
export class Snapshot {
  static async open({ databaseUrl, databasePooler }: Pick<Settings, 'databaseUrl' | 'databasePooler'>): Promise<Snapshot> {
    const source = await new DataSource(patientConnectionOptions(databaseUrl!, databasePooler)).initialize();
    const snapshot = new Snapshot(source, source.createQueryRunner());
    await snapshot.begin();
    return snapshot;
  }

  private constructor(
    private readonly source: DataSource,
    private readonly runner: QueryRunner,
  ) {}

  async *batches<Row>(select: string, rowsAtOnce: number): AsyncGenerator<Row[]> {
    await this.query(`DECLARE read NO SCROLL CURSOR FOR ${select}`);
    for (;;) {
      const rows = await this.query<Row>(`FETCH ${rowsAtOnce} FROM read`);
      if (rows.length > 0) yield rows;
      if (rows.length < rowsAtOnce) break;
    }
    await this.query('CLOSE read');
  }

  /** From now on, the database as it is at this moment. */
  async renew(): Promise<void> {
    await this.query('COMMIT');
    await this.begin();
  }

  async close(): Promise<void> {
    await this.runner.release();
    await this.source.destroy();
  }

  private async begin(): Promise<void> {
    for (const statement of BEGIN) await this.query(statement);
  }

  private async query<Row>(sql: string): Promise<Row[]> {
    try {
      return (await this.runner.query(sql)) as Row[];
    } catch (error) {
      throw readError(error);
    }
  }
}
