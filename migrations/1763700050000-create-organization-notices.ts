import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which notices organizations want and got, and when the owners of a key were told that it expires. Can be interrupted and repeated. */
export class CreateOrganizationNotices1763700050000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS organization_notices (
        organization_id uuid NOT NULL,
        kind text NOT NULL,
        is_off boolean NOT NULL DEFAULT false,
        sent_at timestamptz(3),
        CONSTRAINT organization_notices_pkey PRIMARY KEY (organization_id, kind)
      );
    `);
    await runner.query('ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS expiry_noticed_at timestamptz(3)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS api_keys_expiring');
    await runner.query(`
      CREATE INDEX CONCURRENTLY api_keys_expiring ON api_keys (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX api_keys_expiring;
      ALTER TABLE api_keys DROP COLUMN expiry_noticed_at;
      DROP TABLE organization_notices;
    `);
  }
}
