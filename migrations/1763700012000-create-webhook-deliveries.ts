import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The delivery log. Its pending rows are the deliveries still to be made. */
export class CreateWebhookDeliveries1763700012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        webhook_id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_kind text NOT NULL,
        attempt integer NOT NULL,
        trigger text NOT NULL,
        status text NOT NULL,
        response_status integer,
        error_code text,
        duration_ms integer,
        scheduled_at timestamptz(3) NOT NULL,
        attempted_at timestamptz(3),
        next_attempt_at timestamptz(3),
        request_id text,
        CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)
      ) PARTITION BY RANGE (id);
      CREATE TABLE webhook_deliveries_default PARTITION OF webhook_deliveries DEFAULT;
      CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (webhook_id, id);
      CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (webhook_id, status, id);
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, scheduled_at) WHERE status = 'pending';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_deliveries');
  }
}
