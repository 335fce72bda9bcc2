import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateEvents1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events (
        id uuid CONSTRAINT events_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        kind text NOT NULL,
        resource_id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        data json NOT NULL,
        changed_fields text[]
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events');
  }
}
