import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The content of statements: redacted lines, encrypted originals until they are redacted, and the keys of tokens. */
export class CreateStatementContent1763700013500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE statement_lines (
        statement_id uuid NOT NULL,
        line_number integer NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        account text,
        booked_on date NOT NULL,
        amount text NOT NULL,
        currency text,
        description text NOT NULL,
        counterparty text,
        counterparty_account text,
        reference text,
        fingerprint text NOT NULL,
        CONSTRAINT statement_lines_pkey PRIMARY KEY (statement_id, line_number)
      );
      CREATE TABLE statement_originals (
        statement_id uuid NOT NULL,
        part integer NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        content bytea NOT NULL,
        CONSTRAINT statement_originals_pkey PRIMARY KEY (statement_id, part)
      );
      CREATE TABLE redaction_keys (
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        secret bytea NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT redaction_keys_pkey PRIMARY KEY (organization_id, environment)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE statement_lines, statement_originals, redaction_keys');
  }
}
