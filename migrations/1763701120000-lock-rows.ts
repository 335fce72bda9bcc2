import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  ...['statement_lines', 'statement_originals', 'statement_names', 'redaction_keys', 'counterparty_decisions'],
  ...['claim_lines', 'claim_line_decisions', 'claim_report_files', 'receipt_files', 'signing_keys'],
  ...['audit_personal_values', 'audit_person_keys'],
];

/**
 * Shows the rows of these tables to a role that does not own them only for the organization that `claims.organization` names. Where it is not
 * set, all are shown: version 1.0.0 does not set it, and psql does not. Each part is asked once per statement, not per row.
 */
const SETTING = "(SELECT nullif(current_setting('claims.organization', true), ''))";
const IS_SHOWN = `CASE WHEN coalesce(${SETTING}, 'all') = 'all' THEN true ELSE organization_id = ${SETTING}::uuid END`;

export class LockRows1763701120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`CREATE POLICY of_organization ON ${table} USING (${IS_SHOWN}); ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await runner.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY; DROP POLICY of_organization ON ${table}`);
  }
}
