import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when the lines of a statement are not used any more, and since when they are gone; the index finds those that are next. */
export class RemoveStatementContent1763700025000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bank_statements ADD COLUMN content_expired_at timestamptz(3), ADD COLUMN content_removed_at timestamptz(3);
      CREATE INDEX bank_statements_with_content ON bank_statements (created_at) WHERE content_removed_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX bank_statements_with_content;
      ALTER TABLE bank_statements DROP COLUMN content_expired_at, DROP COLUMN content_removed_at;
    `);
  }
}
