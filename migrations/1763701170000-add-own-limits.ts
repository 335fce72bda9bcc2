import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['api_keys', 'oauth_applications'];

/** What a key or an application may take of the rate of its organization, and how many calls of a day; null: no limit of its own. */
export class AddOwnLimits1763701170000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} ADD COLUMN rate_share integer, ADD COLUMN daily_calls integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN rate_share, DROP COLUMN daily_calls`);
  }
}
