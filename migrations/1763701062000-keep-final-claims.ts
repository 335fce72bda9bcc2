import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Before every change of a row. */
const TRIGGERS = [
  ['claim_closings', 'UPDATE OR DELETE', ''],
  ['claim_reports', 'UPDATE OR DELETE', "WHEN (OLD.status = 'succeeded')"],
  ['claim_report_files', 'UPDATE OR DELETE', ''],
] as const;

/**
 * Nothing changes the inputs, the result and the files of a final claim, nor a step by which a claim was closed, whatever an operation, a job
 * or an extension does. They go when their organization is being erased.
 */
export class KeepFinalClaims1763701062000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    await runner.query(`
      CREATE FUNCTION keep_final_claims() RETURNS trigger LANGUAGE plpgsql SET search_path = ${row!.schema}, pg_temp AS $$
      DECLARE
        run uuid;
      BEGIN
        IF TG_TABLE_NAME = 'claim_reports' THEN run := OLD.id; ELSE run := OLD.report_id; END IF;
        IF (TG_TABLE_NAME = 'claim_closings' OR EXISTS (
              SELECT FROM claim_closings WHERE organization_id = OLD.organization_id AND environment = OLD.environment
                AND report_id = run AND state = 'final'))
            AND NOT EXISTS (SELECT FROM organization_erasures WHERE organization_id = OLD.organization_id) THEN
          RAISE restrict_violation USING MESSAGE = format('%s of run %s: a final claim never changes', TG_TABLE_NAME, run);
        END IF;
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        RETURN NEW;
      END $$
    `);
    for (const [table, when, condition] of TRIGGERS)
      await runner.query(
        `CREATE TRIGGER ${table}_kept BEFORE ${when} ON ${table} FOR EACH ROW ${condition} EXECUTE FUNCTION keep_final_claims()`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of TRIGGERS) await runner.query(`DROP TRIGGER ${table}_kept ON ${table}`);
    await runner.query('DROP FUNCTION keep_final_claims()');
  }
}
