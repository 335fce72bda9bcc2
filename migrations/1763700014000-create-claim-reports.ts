import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateClaimReports1763700014000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE claim_reports (
        id uuid CONSTRAINT claim_reports_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        lease uuid,
        leased_until timestamptz(3),
        taken_at timestamptz(3),
        lost_workers integer NOT NULL,
        project_id uuid,
        report_configuration_id uuid,
        status text NOT NULL,
        queued_at timestamptz(3) NOT NULL,
        started_at timestamptz(3),
        finished_at timestamptz(3),
        result json,
        failure json,
        inputs json
      );
      CREATE INDEX claim_reports_newest ON claim_reports (organization_id, environment, id);
      CREATE INDEX claim_reports_by_status ON claim_reports (organization_id, environment, status, id);
      CREATE INDEX claim_reports_by_project ON claim_reports (organization_id, environment, project_id, id);
      CREATE INDEX claim_reports_by_configuration ON claim_reports (organization_id, environment, report_configuration_id, id);
      CREATE INDEX claim_reports_queued ON claim_reports (organization_id, id) WHERE status = 'queued';
      CREATE INDEX claim_reports_running ON claim_reports (organization_id) WHERE status = 'running';
      CREATE INDEX claim_reports_taken ON claim_reports (organization_id, taken_at);
      CREATE TABLE claim_report_files (
        report_id uuid NOT NULL,
        format text NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        content bytea NOT NULL,
        CONSTRAINT claim_report_files_pkey PRIMARY KEY (report_id, format)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE claim_reports, claim_report_files');
  }
}
