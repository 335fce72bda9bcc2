import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How sure the lines of a statement are. Can be interrupted and repeated. */
export class AddCertaintyOfStatements1763700852000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bank_statements ADD COLUMN IF NOT EXISTS certainty text');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS bank_statements_by_certainty');
    await runner.query(`
      CREATE INDEX CONCURRENTLY bank_statements_by_certainty ON bank_statements (organization_id, environment, certainty, id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX bank_statements_by_certainty;
      ALTER TABLE bank_statements DROP COLUMN certainty;
    `);
  }
}
