import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of reports are compressed from now on; those of earlier runs stay as they are. */
export class PackReportFiles1763700029500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claim_report_files ADD COLUMN gzipped boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claim_report_files DROP COLUMN gzipped');
  }
}
