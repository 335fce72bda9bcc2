import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The claim projects whose records a key reaches; null: those of all. */
export class AddProjectsOfKeys1763701172000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN project_ids text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN project_ids');
  }
}
