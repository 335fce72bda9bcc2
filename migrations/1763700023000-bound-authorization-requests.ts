import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The open authorization requests of an application, to keep only the newest of them. */
export class BoundAuthorizationRequests1763700023000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE INDEX oauth_records_open_requests ON oauth_records (client_id, expires_at) WHERE kind = 'Interaction'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX oauth_records_open_requests');
  }
}
