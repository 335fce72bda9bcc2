import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A reset of the test environment deletes final claims as well. It says so in its transaction; nothing else may delete or change them. */
const UNLESS_RESET = `
            AND NOT (TG_OP = 'DELETE' AND OLD.environment = 'test'
              AND coalesce(current_setting('claims.reset', true), '') = OLD.organization_id::text)`;

export class LetResetsDeleteFinalClaims1763701174000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(await keepFinalClaims(runner, UNLESS_RESET));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(await keepFinalClaims(runner, ''));
  }
}

/** The function of the migration `keep-final-claims`, with a further condition. */
async function keepFinalClaims(runner: QueryRunner, unless: string): Promise<string> {
  const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
  return `
      CREATE OR REPLACE FUNCTION keep_final_claims() RETURNS trigger LANGUAGE plpgsql SET search_path = ${row!.schema}, pg_temp AS $$
      DECLARE
        run uuid;
      BEGIN
        IF TG_TABLE_NAME = 'claim_reports' THEN run := OLD.id; ELSE run := OLD.report_id; END IF;
        IF (TG_TABLE_NAME = 'claim_closings' OR EXISTS (
              SELECT FROM claim_closings WHERE organization_id = OLD.organization_id AND environment = OLD.environment
                AND report_id = run AND state = 'final'))
            AND NOT EXISTS (SELECT FROM organization_erasures WHERE organization_id = OLD.organization_id)${unless} THEN
          RAISE restrict_violation USING MESSAGE = format('%s of run %s: a final claim never changes', TG_TABLE_NAME, run);
        END IF;
        IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
        RETURN NEW;
      END $$
    `;
}
