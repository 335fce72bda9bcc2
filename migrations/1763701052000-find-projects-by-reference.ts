import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Programs find a project by their own reference. Can be interrupted and repeated. */
export class FindProjectsByReference1763701052000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS claim_projects_by_reference');
    await runner.query(`
      CREATE INDEX CONCURRENTLY claim_projects_by_reference ON claim_projects (organization_id, environment, client_reference, id)
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX claim_projects_by_reference');
  }
}
