import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-in by the identity provider of an organization. */
export class CreateIdentityProviders1763700047000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE identity_providers (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        issuer text NOT NULL,
        client_id text NOT NULL,
        client_secret bytea NOT NULL,
        email_domains text[] NOT NULL,
        default_role text NOT NULL,
        role_claim text,
        admin_values text[] NOT NULL,
        member_values text[] NOT NULL,
        passwords_allowed boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT identity_providers_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE UNIQUE INDEX identity_providers_organization_unique ON identity_providers (organization_id);
      CREATE TABLE user_identities (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        user_id uuid NOT NULL,
        issuer text NOT NULL,
        subject text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT user_identities_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE UNIQUE INDEX user_identities_subject_unique ON user_identities (organization_id, issuer, subject);
      CREATE UNIQUE INDEX user_identities_user_unique ON user_identities (organization_id, user_id, issuer);
      CREATE INDEX users_removed_by_email ON users (organization_id, email_key) WHERE status = 'removed';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX users_removed_by_email;
      DROP TABLE identity_providers, user_identities;
    `);
  }
}
