import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of reports are stored in compressed parts from now on; those of earlier runs stay as they are, in one part. */
export class PackReportFiles1763700029500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE claim_report_files
        ADD COLUMN part integer NOT NULL DEFAULT 0,
        ADD COLUMN gzipped boolean NOT NULL DEFAULT false,
        DROP CONSTRAINT claim_report_files_pkey,
        ADD CONSTRAINT claim_report_files_pkey PRIMARY KEY (report_id, format, part)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // The program before this one cannot read what was written since.
    await runner.query('DELETE FROM claim_report_files WHERE gzipped');
    await runner.query(`
      ALTER TABLE claim_report_files
        DROP CONSTRAINT claim_report_files_pkey,
        DROP COLUMN part,
        DROP COLUMN gzipped,
        ADD CONSTRAINT claim_report_files_pkey PRIMARY KEY (report_id, format)`);
  }
}
