import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls by tools that people agree to, and who has to agree to which. */
export class CreateConfirmations1763701175000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD COLUMN confirmations jsonb');
    await runner.query('ALTER TABLE oauth_applications ADD COLUMN confirmations jsonb');
    await runner.query(`
      CREATE TABLE confirmations (
        organization_id uuid NOT NULL,
        id uuid NOT NULL,
        environment text NOT NULL,
        credential_id uuid NOT NULL,
        user_id uuid,
        asked_by text NOT NULL,
        operation text NOT NULL,
        digest bytea NOT NULL,
        shown bytea NOT NULL,
        rule text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        first_agreed_by uuid,
        agreed_by uuid,
        agreed_way text,
        agreed_at timestamptz(3),
        refused_at timestamptz(3),
        used_at timestamptz(3),
        CONSTRAINT confirmations_pkey PRIMARY KEY (organization_id, id)
      ) WITH (autovacuum_vacuum_scale_factor = 0.05)`);
    await runner.query('CREATE INDEX confirmations_of_credential ON confirmations (organization_id, environment, credential_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE confirmations');
    await runner.query('ALTER TABLE oauth_applications DROP COLUMN confirmations');
    await runner.query('ALTER TABLE organizations DROP COLUMN confirmations');
  }
}
