import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['organizations', 'users'];

/** The values of fields that extensions declare. */
export class AddFieldsOfOrganizationsAndMembers1763701183000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} ADD COLUMN custom_fields jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN custom_fields`);
  }
}
