import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A known text under each key that encrypts secrets, so that a process with another key does not start. */
export class CreateEncryptionKeyChecks1763700552000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE encryption_key_checks (
        key_id text CONSTRAINT encryption_key_checks_pkey PRIMARY KEY,
        canary bytea NOT NULL,
        created_at timestamptz(3) NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE encryption_key_checks');
  }
}
