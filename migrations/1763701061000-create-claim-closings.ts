import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The steps by which claims are closed, and the keys by which organizations sign them. */
export class CreateClaimClosings1763701061000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE claim_closings (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        report_id uuid NOT NULL,
        project_id uuid NOT NULL,
        period_start date NOT NULL,
        period_end date NOT NULL,
        state text NOT NULL,
        version integer,
        reason text,
        actor_type text NOT NULL,
        actor_id uuid,
        actor_name text NOT NULL,
        person text NOT NULL,
        corrects uuid,
        changes json,
        inputs_hash text NOT NULL,
        pack json,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        PRIMARY KEY (organization_id, id)
      );
      CREATE INDEX claim_closings_newest ON claim_closings (organization_id, environment, id);
      CREATE INDEX claim_closings_by_project ON claim_closings (organization_id, environment, project_id, id);
      CREATE INDEX claim_closings_by_state ON claim_closings (organization_id, environment, state, id);
      CREATE UNIQUE INDEX claim_closings_once ON claim_closings (organization_id, environment, report_id, state);
      CREATE UNIQUE INDEX claim_closings_corrected_once ON claim_closings (organization_id, environment, corrects)
        WHERE corrects IS NOT NULL;
      CREATE TABLE signing_keys (
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        secret bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        PRIMARY KEY (organization_id, environment)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE signing_keys; DROP TABLE claim_closings');
  }
}
