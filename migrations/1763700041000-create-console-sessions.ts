import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is signed in to the console, and the links that sign somebody in once. */
export class CreateConsoleSessions1763700041000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE console_sessions (
        id uuid CONSTRAINT console_sessions_pkey PRIMARY KEY,
        user_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        ip_address text NOT NULL,
        user_agent text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        last_seen_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL
      );
      CREATE UNIQUE INDEX console_sessions_token_hash_unique ON console_sessions (token_hash);
      CREATE INDEX console_sessions_of_user ON console_sessions (user_id);
      CREATE INDEX console_sessions_expiring ON console_sessions (expires_at);
      CREATE TABLE sign_in_links (
        token_hash bytea CONSTRAINT sign_in_links_pkey PRIMARY KEY,
        user_id uuid NOT NULL,
        expires_at timestamptz(3) NOT NULL
      );
      CREATE INDEX sign_in_links_of_user ON sign_in_links (user_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE console_sessions, sign_in_links');
  }
}
