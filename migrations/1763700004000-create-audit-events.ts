import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateAuditEvents1763700004000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_events (
        id uuid CONSTRAINT audit_events_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text,
        occurred_at timestamptz(3) NOT NULL,
        actor_type text NOT NULL,
        actor_id text,
        actor_name text NOT NULL,
        action text NOT NULL,
        resource_type text NOT NULL,
        resource_id uuid NOT NULL,
        ip_address text,
        request_id text,
        changes json NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_events');
  }
}
