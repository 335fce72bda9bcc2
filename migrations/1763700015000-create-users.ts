import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users of organizations, and the invitations that they have not accepted yet. */
export class CreateUsers1763700015000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid CONSTRAINT users_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        email text NOT NULL,
        email_key text NOT NULL,
        name text NOT NULL,
        role text NOT NULL,
        status text NOT NULL,
        password_hash text,
        totp_secret bytea,
        totp_last_step integer,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        last_sign_in_at timestamptz(3)
      );
      CREATE UNIQUE INDEX users_email_unique ON users (organization_id, email_key) WHERE status <> 'removed';
      CREATE TABLE user_invitations (
        user_id uuid CONSTRAINT user_invitations_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL
      );
      CREATE UNIQUE INDEX user_invitations_token_hash_unique ON user_invitations (token_hash);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE users, user_invitations');
  }
}
