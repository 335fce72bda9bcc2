import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many attempts in a row have failed, by which others are told; and since when an endpoint that works again is sent what it missed. */
export class CountFailuresOfEndpoints1763701140000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE webhook_endpoints ADD COLUMN failures integer NOT NULL DEFAULT 0, ADD COLUMN catch_up_since timestamptz(3)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN failures, DROP COLUMN catch_up_since');
  }
}
