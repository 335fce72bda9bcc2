import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Applications that every organization can connect: those that registered themselves, each organization's rule, and its connections. */
export class CreateSharedApplications1763700035000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_applications ADD COLUMN shared_client_id text;
      CREATE UNIQUE INDEX oauth_applications_connections ON oauth_applications (organization_id, environment, shared_client_id)
        WHERE shared_client_id IS NOT NULL;
      CREATE TABLE oauth_registrations (
        client_id text CONSTRAINT oauth_registrations_pkey PRIMARY KEY,
        name text NOT NULL,
        redirect_uris text[] NOT NULL,
        is_listed boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        used_at timestamptz(3)
      );
      CREATE INDEX oauth_registrations_unused ON oauth_registrations (created_at) WHERE used_at IS NULL;
      CREATE TABLE oauth_connection_rules (
        organization_id uuid CONSTRAINT oauth_connection_rules_pkey PRIMARY KEY,
        rule text NOT NULL,
        updated_at timestamptz(3) NOT NULL
      );
      CREATE TABLE oauth_client_decisions (
        organization_id uuid NOT NULL,
        client_id text NOT NULL,
        is_allowed boolean NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT oauth_client_decisions_pkey PRIMARY KEY (organization_id, client_id)
      );
      CREATE INDEX users_by_email ON users (email_key) WHERE status = 'active';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX users_by_email;
      DROP TABLE oauth_registrations, oauth_connection_rules, oauth_client_decisions;
      ALTER TABLE oauth_applications DROP COLUMN shared_client_id;
    `);
  }
}
