import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far a run is, as its worker last said. */
export class ShowProgressOfClaimReports1763700038000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claim_reports ADD COLUMN progress json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claim_reports DROP COLUMN progress');
  }
}
