import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateWebhookEndpoints1763700011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        id uuid CONSTRAINT webhook_endpoints_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        name text NOT NULL,
        target_url text NOT NULL,
        subscribed_events text[] NOT NULL,
        description text,
        status text NOT NULL,
        disabled_reason text,
        secret bytea NOT NULL,
        secret_hint text NOT NULL,
        previous_secret bytea,
        previous_secret_expires_at timestamptz(3),
        last_delivery_at timestamptz(3),
        failing_since timestamptz(3),
        lease uuid,
        leased_until timestamptz(3)
      );
      CREATE INDEX webhook_endpoints_by_organization ON webhook_endpoints (organization_id, environment, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_endpoints');
  }
}
