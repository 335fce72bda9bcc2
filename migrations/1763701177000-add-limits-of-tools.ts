import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['api_keys', 'oauth_applications'];

/** How much a language model may write and read by tools in 24 hours, of a key or an application; null: no limit of its own. */
export class AddLimitsOfTools1763701177000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} ADD COLUMN daily_writes integer, ADD COLUMN daily_tokens integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN daily_writes, DROP COLUMN daily_tokens`);
  }
}
