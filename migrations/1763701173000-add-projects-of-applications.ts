import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The claim projects whose records an application reaches; null: those of all. */
export class AddProjectsOfApplications1763701173000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_applications ADD COLUMN project_ids text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_applications DROP COLUMN project_ids');
  }
}
