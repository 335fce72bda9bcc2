import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a layout was last changed: by the API, one is changed in its place. */
export class NoteChangesOfStatementLayouts1763701068000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE statement_layouts ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now()');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE statement_layouts DROP COLUMN updated_at');
  }
}
