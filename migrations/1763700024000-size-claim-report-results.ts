import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The size of a result, so that a list can leave out a large one without reading it. */
export class SizeClaimReportResults1763700024000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE claim_reports ADD COLUMN result_bytes integer;
      UPDATE claim_reports SET result_bytes = octet_length(result::text) WHERE result IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE claim_reports DROP COLUMN result_bytes');
  }
}
