import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateApiKeys1763700001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE api_keys (
        id uuid CONSTRAINT api_keys_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        name text NOT NULL,
        key_hash bytea NOT NULL,
        last4 text NOT NULL,
        scopes text[] NOT NULL,
        ip_allowlist text[] NOT NULL,
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3)
      );
      CREATE UNIQUE INDEX api_keys_key_hash_unique ON api_keys (key_hash);
      CREATE INDEX api_keys_by_organization ON api_keys (organization_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_keys');
  }
}
