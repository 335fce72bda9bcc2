import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the clients of tools call themselves. */
export class NoteClientsOfRequests1763701179000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_requests ADD COLUMN client text');
    await runner.query("ALTER TABLE usage_credentials ADD COLUMN clients jsonb NOT NULL DEFAULT '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE usage_credentials DROP COLUMN clients');
    await runner.query('ALTER TABLE api_requests DROP COLUMN client');
  }
}
