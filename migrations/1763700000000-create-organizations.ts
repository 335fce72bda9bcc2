import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateOrganizations1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organizations (
        id uuid CONSTRAINT organizations_pkey PRIMARY KEY,
        name text NOT NULL,
        slug text NOT NULL,
        plan text NOT NULL,
        status text NOT NULL,
        country text,
        time_zone text NOT NULL,
        billing_cycle_anchor date NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      );
      CREATE UNIQUE INDEX organizations_slug_unique ON organizations (slug);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organizations');
  }
}
