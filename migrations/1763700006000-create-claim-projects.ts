import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateClaimProjects1763700006000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE claim_projects (
        id uuid CONSTRAINT claim_projects_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        name text NOT NULL,
        client_reference text,
        period_start date NOT NULL,
        period_end date NOT NULL,
        status text NOT NULL,
        metadata json NOT NULL,
        unique_key text NOT NULL,
        search_key text NOT NULL
      );
      CREATE INDEX claim_projects_newest ON claim_projects (organization_id, environment, id);
      CREATE UNIQUE INDEX claim_projects_unique ON claim_projects (organization_id, environment, unique_key);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE claim_projects');
  }
}
