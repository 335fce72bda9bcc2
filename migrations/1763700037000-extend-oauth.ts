import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Public keys of applications, and indexes for the consents of a user and for all kinds of requests that wait for an answer of their user. */
export class ExtendOAuth1763700037000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_applications ADD COLUMN public_keys json;
      DROP INDEX oauth_records_open_requests;
      CREATE INDEX oauth_records_waiting ON oauth_records (kind, client_id, expires_at)
        WHERE kind IN ('Interaction', 'PushedAuthorizationRequest', 'DeviceCode');
      CREATE INDEX oauth_records_grants_of_user ON oauth_records (user_id) WHERE kind = 'Grant';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX oauth_records_waiting, oauth_records_grants_of_user;
      CREATE INDEX oauth_records_open_requests ON oauth_records (client_id, expires_at) WHERE kind = 'Interaction';
      ALTER TABLE oauth_applications DROP COLUMN public_keys;
    `);
  }
}
