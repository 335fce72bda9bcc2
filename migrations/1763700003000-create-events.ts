import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateEvents1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        kind text NOT NULL,
        resource_id uuid NOT NULL,
        occurred_at timestamptz(3) NOT NULL,
        data json NOT NULL,
        changed_fields text[],
        CONSTRAINT events_pkey PRIMARY KEY (id)
      ) PARTITION BY RANGE (id);
      CREATE TABLE events_default PARTITION OF events DEFAULT;
      CREATE INDEX events_of_organization ON events (organization_id, environment, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events');
  }
}
