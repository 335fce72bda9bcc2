import type { MigrationInterface, QueryRunner } from 'typeorm';

const RECORDS = ['bank_statements', 'claim_items', 'claim_reports', 'receipts', 'statement_layouts', 'upload_links', 'webhook_endpoints'];

/** The fields that extensions declare for further records. */
export class AddFieldsOfMoreRecords1763701182000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of RECORDS) await runner.query(`ALTER TABLE ${table} ADD custom_fields jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of RECORDS) await runner.query(`ALTER TABLE ${table} DROP custom_fields`);
  }
}
