import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['claim_projects', 'expense_categories', 'report_configurations', 'bank_statements', 'upload_links', 'claim_reports'];

/** Lists of what was changed since a time. Can be interrupted and repeated. */
export class FindChangedRecords1763701064000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_changed`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${table}_changed ON ${table} (organization_id, environment, updated_at)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP INDEX ${table}_changed`);
  }
}
