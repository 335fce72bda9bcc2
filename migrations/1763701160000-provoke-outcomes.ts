import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is asked for in the test environment to become of the next run of a configuration, and then of the run. */
export class ProvokeOutcomes1763701160000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE report_configurations ADD COLUMN test_outcome json');
    await runner.query('ALTER TABLE claim_reports ADD COLUMN test_outcome json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claim_reports DROP COLUMN test_outcome');
    await runner.query('ALTER TABLE report_configurations DROP COLUMN test_outcome');
  }
}
