import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The claim projects whose events an endpoint gets; null: all. */
export class AddProjectsOfEndpoints1763701150000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints ADD COLUMN project_ids text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN project_ids');
  }
}
