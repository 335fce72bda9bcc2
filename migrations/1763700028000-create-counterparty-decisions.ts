import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an organization has said that counterparties are: companies or people. */
export class CreateCounterpartyDecisions1763700028000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE counterparty_decisions (
        id uuid CONSTRAINT counterparty_decisions_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        digest text NOT NULL,
        decided_as text NOT NULL,
        decided_at timestamptz(3) NOT NULL
      );
      CREATE UNIQUE INDEX counterparty_decisions_unique ON counterparty_decisions (organization_id, environment, digest);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE counterparty_decisions');
  }
}
