import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users of several organizations who are one person share their credentials: they have one account. */
export class ShareAccounts1763700043000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users
        ADD account_id uuid,
        ADD recovery_codes text[] NOT NULL DEFAULT '{}';
      UPDATE users SET account_id = id;
      ALTER TABLE users ALTER account_id SET NOT NULL;
      CREATE INDEX users_of_account ON users (account_id) WHERE status <> 'removed';
      ALTER TABLE organizations ADD require_second_factor boolean NOT NULL DEFAULT false;
      ALTER TABLE console_sessions ADD signed_in_by text NOT NULL DEFAULT 'password';
      ALTER TABLE sign_in_links ADD purpose text NOT NULL DEFAULT 'sign_in';
      ALTER TABLE outgoing_mails ADD html text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outgoing_mails DROP html;
      DELETE FROM sign_in_links WHERE purpose <> 'sign_in';
      ALTER TABLE sign_in_links DROP purpose;
      ALTER TABLE console_sessions DROP signed_in_by;
      ALTER TABLE organizations DROP require_second_factor;
      ALTER TABLE users DROP account_id, DROP recovery_codes;
    `);
  }
}
