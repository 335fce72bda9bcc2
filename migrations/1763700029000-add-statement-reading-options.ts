import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the importer says of a file that does not say it itself: its currency, and what its signs mean. */
export class AddStatementReadingOptions1763700029000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE bank_statements ADD COLUMN reading_options json NOT NULL DEFAULT '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bank_statements DROP COLUMN reading_options');
  }
}
