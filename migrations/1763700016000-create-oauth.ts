import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Partner applications, and the records of the authorization server. */
export class CreateOAuth1763700016000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_applications (
        id uuid CONSTRAINT oauth_applications_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        name text NOT NULL,
        client_id text NOT NULL,
        is_public boolean NOT NULL,
        secret_hash bytea,
        secret_hint text,
        previous_secret_hash bytea,
        previous_secret_expires_at timestamptz(3),
        grants text[] NOT NULL,
        redirect_uris text[] NOT NULL,
        scopes text[] NOT NULL,
        status text NOT NULL
      );
      CREATE UNIQUE INDEX oauth_applications_by_client_id ON oauth_applications (client_id);
      CREATE INDEX oauth_applications_of_organization ON oauth_applications (organization_id, id);
      CREATE TABLE oauth_records (
        kind text NOT NULL,
        id_hash bytea NOT NULL,
        grant_hash bytea,
        uid_hash bytea,
        client_id text,
        user_id uuid,
        payload json NOT NULL,
        consumed_at timestamptz(3),
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT oauth_records_pkey PRIMARY KEY (kind, id_hash)
      );
      CREATE INDEX oauth_records_of_grant ON oauth_records (grant_hash);
      CREATE INDEX oauth_records_by_uid ON oauth_records (uid_hash);
      CREATE INDEX oauth_records_expiring ON oauth_records (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_applications, oauth_records');
  }
}
