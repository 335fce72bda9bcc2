import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The names behind the tokens of people in statements, for organizations that keep them. */
export class KeepNames1763700952000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE organizations ADD COLUMN keep_names boolean NOT NULL DEFAULT false;
      CREATE TABLE statement_names (
        statement_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        names bytea NOT NULL,
        doubtful bytea,
        CONSTRAINT statement_names_pkey PRIMARY KEY (statement_id, organization_id)
      );
      CREATE INDEX statement_names_of_organization ON statement_names (organization_id, environment, statement_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE statement_names;
      ALTER TABLE organizations DROP COLUMN keep_names;
    `);
  }
}
