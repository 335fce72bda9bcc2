import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people should look at before they rely on a statement that was read. */
export class AddStatementWarnings1763700027000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE bank_statements ADD COLUMN warnings json NOT NULL DEFAULT '[]'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bank_statements DROP COLUMN warnings');
  }
}
