import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an attempt was sent with, and what came back; which replay made it; and how the deliveries of an endpoint are sent. */
export class ExtendWebhooks1763700033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries ADD COLUMN sent json, ADD COLUMN answer json, ADD COLUMN replay_id uuid;
      ALTER TABLE webhook_endpoints
        ADD COLUMN own_headers bytea,
        ADD COLUMN header_names text[] NOT NULL DEFAULT '{}',
        ADD COLUMN rate_limit integer,
        ADD COLUMN ordered boolean NOT NULL DEFAULT false,
        ADD COLUMN payload text NOT NULL DEFAULT 'full',
        ADD COLUMN signature text NOT NULL DEFAULT 'hmac',
        ADD COLUMN public_key text,
        ADD COLUMN next_send_at timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries DROP COLUMN sent, DROP COLUMN answer, DROP COLUMN replay_id;
      ALTER TABLE webhook_endpoints DROP COLUMN own_headers, DROP COLUMN header_names, DROP COLUMN rate_limit, DROP COLUMN ordered,
        DROP COLUMN payload, DROP COLUMN signature, DROP COLUMN public_key, DROP COLUMN next_send_at;
    `);
  }
}
