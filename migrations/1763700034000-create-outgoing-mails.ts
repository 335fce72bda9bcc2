import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails that are still to be sent, and whether the owners of a failing webhook endpoint were told. */
export class CreateOutgoingMails1763700034000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outgoing_mails (
        id uuid CONSTRAINT outgoing_mails_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        recipient text NOT NULL,
        subject text NOT NULL,
        text text NOT NULL,
        attempts integer NOT NULL,
        created_at timestamptz(3) NOT NULL,
        next_attempt_at timestamptz(3) NOT NULL
      );
      CREATE INDEX outgoing_mails_due ON outgoing_mails (next_attempt_at);
      CREATE INDEX outgoing_mails_by_organization ON outgoing_mails (organization_id);
      ALTER TABLE webhook_endpoints ADD COLUMN failing_noticed_at timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outgoing_mails; ALTER TABLE webhook_endpoints DROP COLUMN failing_noticed_at;');
  }
}
