import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdempotencyKeys1763700002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        status integer,
        answer text,
        sealed_answer bytea,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, environment, key)
      );
      CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
