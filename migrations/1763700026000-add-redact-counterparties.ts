import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether names of counterparties are replaced by tokens unless an organisation is recognised in them. On unless the operator turns it off. */
export class AddRedactCounterparties1763700026000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations ADD COLUMN redact_counterparties boolean NOT NULL DEFAULT true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE organizations DROP COLUMN redact_counterparties');
  }
}
