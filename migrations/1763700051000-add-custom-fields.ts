import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['claim_projects', 'expense_categories', 'report_configurations'];

/** The fields that extensions declare for records. */
export class AddCustomFields1763700051000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} ADD custom_fields jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP custom_fields`);
  }
}
