import { DataSource, type QueryRunner } from 'typeorm';
import type { Settings } from '../../../kernel/settings/settings.js';
import { patientConnectionOptions } from '../../../store/database/connection-options.js';
import { readError } from '../../../store/database/database.js';
import type { ExportedTable } from './exported-table.js';

const BEGIN = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
];

interface FoundRow {
  readonly row: string;
  readonly bytes?: Buffer | null;
  readonly key: string[];
}

/** The database as it was at one moment. A connection of its own, since reading everything takes longer than a request may. */
export class Snapshot {
  static async open({ databaseUrl, databasePooler }: Pick<Settings, 'databaseUrl' | 'databasePooler'>): Promise<Snapshot> {
    const source = await new DataSource(patientConnectionOptions(databaseUrl!, databasePooler)).initialize();
    const snapshot = new Snapshot(source, source.createQueryRunner());
    for (const statement of BEGIN) await snapshot.query(statement);
    return snapshot;
  }

  private constructor(
    private readonly source: DataSource,
    private readonly runner: QueryRunner,
  ) {}

  async *rowsOf({ select, rowsAtOnce }: ExportedTable, organizationId: string): AsyncGenerator<FoundRow> {
    await this.query(`DECLARE exported NO SCROLL CURSOR FOR ${select(organizationId)}`);
    for (;;) {
      const rows = await this.query<FoundRow>(`FETCH ${rowsAtOnce} FROM exported`);
      yield* rows;
      if (rows.length < rowsAtOnce) break;
    }
    await this.query('CLOSE exported');
  }

  async close(): Promise<void> {
    await this.runner.release();
    await this.source.destroy();
  }

  private async query<Row>(sql: string): Promise<Row[]> {
    try {
      return (await this.runner.query(sql)) as Row[];
    } catch (error) {
      throw readError(error);
    }
  }
}
