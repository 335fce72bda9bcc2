import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What became of the lines of a run, and what people have decided about lines. */
export class CreateClaimLines1763701053000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE claim_lines (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        report_id uuid NOT NULL,
        statement_id uuid NOT NULL,
        line_number integer NOT NULL,
        fingerprint text NOT NULL,
        occurrence integer NOT NULL,
        booked_on date NOT NULL,
        amount numeric NOT NULL,
        currency text,
        outcome text NOT NULL,
        category_id uuid,
        rule text,
        claimable numeric,
        decision_id uuid,
        rule_category_id uuid,
        CONSTRAINT claim_lines_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE INDEX claim_lines_by_report ON claim_lines (report_id, id);
      CREATE TABLE claim_line_decisions (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        statement_id uuid NOT NULL,
        line_number integer NOT NULL,
        fingerprint text NOT NULL,
        occurrence integer NOT NULL,
        outcome text NOT NULL,
        parts json NOT NULL,
        reason text,
        note text,
        actor_type text NOT NULL,
        actor_id uuid,
        actor_name text NOT NULL,
        decided_at timestamptz(3) NOT NULL,
        replaced_at timestamptz(3),
        CONSTRAINT claim_line_decisions_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE UNIQUE INDEX claim_line_decisions_current ON claim_line_decisions (organization_id, environment, fingerprint, occurrence)
        WHERE replaced_at IS NULL;
      CREATE INDEX claim_line_decisions_by_line ON claim_line_decisions (organization_id, environment, fingerprint, occurrence, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE claim_line_decisions');
    await runner.query('DROP TABLE claim_lines');
  }
}
