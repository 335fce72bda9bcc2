import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log with a partition for each month (created when needed), and the head of each organization's chain. */
export class CreateAuditLog1763700007000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_events (
        organization_id uuid NOT NULL,
        environment text,
        occurred_at timestamptz(3) NOT NULL,
        actor_type text NOT NULL,
        actor_id text,
        actor_name text NOT NULL,
        action text COLLATE "C" NOT NULL,
        resource_type text NOT NULL,
        resource_id uuid NOT NULL,
        ip_address text,
        request_id text,
        changes json NOT NULL,
        created_at timestamptz(3) NOT NULL,
        id uuid NOT NULL,
        sequence bigint NOT NULL,
        previous_hash text NOT NULL,
        hash text NOT NULL,
        CONSTRAINT audit_events_pkey PRIMARY KEY (organization_id, created_at, id)
      ) PARTITION BY RANGE (created_at);
      CREATE INDEX audit_events_by_environment ON audit_events (organization_id, environment, created_at, id);
      CREATE INDEX audit_events_by_actor_type ON audit_events (organization_id, actor_type, created_at, id);
      CREATE INDEX audit_events_by_action ON audit_events (organization_id, action, created_at, id);
      CREATE TABLE audit_chains (
        organization_id uuid CONSTRAINT audit_chains_pkey PRIMARY KEY,
        sequence bigint NOT NULL,
        hash text NOT NULL,
        sealed_at timestamptz(3)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_chains, audit_events');
  }
}
