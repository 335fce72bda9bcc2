import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { splitStatements } from './split-sql.js';

export interface Migration extends MigrationInterface {
  readonly name?: string;
  /** Of which extension it is. Undefined for those of the product. */
  readonly extension?: string;
  /** The release since which the program neither uses what this removes, nor writes what this refuses. */
  readonly afterRelease?: string;
}

export const nameOf = ({ name, constructor }: Migration): string => name ?? constructor.name;

export interface RecordedStatement {
  readonly sql: string;
  /** Statements with the same number are in the same transaction. */
  readonly transaction: number;
  /** Whether it cannot be one of those that Postgres refuses in a transaction. */
  readonly isInBlock: boolean;
}

export interface RecordedMigration {
  readonly name: string;
  readonly afterRelease?: string;
  readonly statements: readonly RecordedStatement[];
  /** Why the rest is not known, such as that it reads a table that does not exist yet. */
  readonly incomplete?: string;
}

/** Reads from the database. Rejects with READ_ONLY what would change something. */
export type Read = (sql: string, values?: unknown[]) => Promise<unknown>;

const READ_ONLY = '25006';
const LOCKS = /\bpg_(?:try_)?advisory_|\bpg_notify\b|\bFOR (?:UPDATE|SHARE|NO KEY UPDATE|KEY SHARE)\b/i;

/** The statements of a migration, none of which is executed. What it reads first comes from `read`. */
export async function recordMigration(migration: Migration, read: Read): Promise<RecordedMigration> {
  const recorder = new Recorder(read, migration.transaction ?? true);
  const name = nameOf(migration);
  const about = { name, afterRelease: migration.afterRelease, statements: recorder.statements };
  try {
    await migration.up(recorder as unknown as QueryRunner);
    return about;
  } catch (error) {
    return { ...about, incomplete: (error as Error).message };
  }
}

/** What migrations use of a query runner. Anything else is missing, which is an error. */
class Recorder {
  readonly statements: RecordedStatement[] = [];
  private transaction = 1;

  constructor(
    private readonly read: Read,
    public isTransactionActive: boolean,
  ) {}

  startTransaction(): Promise<void> {
    this.transaction += 1;
    this.isTransactionActive = true;
    return Promise.resolve();
  }

  commitTransaction(): Promise<void> {
    this.transaction += 1;
    this.isTransactionActive = false;
    return Promise.resolve();
  }

  rollbackTransaction(): Promise<void> {
    return this.commitTransaction();
  }

  async query(sql: string, values?: unknown[]): Promise<unknown> {
    const statements = splitStatements(sql);
    if (statements.length === 1 && /^(?:SELECT|SHOW)\b/i.test(statements[0]!) && !LOCKS.test(sql)) {
      try {
        return await this.read(sql, values);
      } catch (error) {
        if ((error as { code?: string }).code !== READ_ONLY) throw error;
      }
    }
    if (!this.isTransactionActive) this.transaction += 1;
    const { transaction } = this;
    const isInBlock = this.isTransactionActive || statements.length > 1;
    this.statements.push(...statements.map((statement) => ({ sql: statement, transaction, isInBlock })));
    return [];
  }
}

/** Reads in transactions that Postgres lets change nothing. */
export const readOnly =
  (source: DataSource): Read =>
  async (sql, values) => {
    const runner = source.createQueryRunner();
    try {
      await runner.query('START TRANSACTION READ ONLY');
      return (await runner.query(sql, values)) as unknown;
    } finally {
      await runner.query('ROLLBACK');
      await runner.release();
    }
  };
