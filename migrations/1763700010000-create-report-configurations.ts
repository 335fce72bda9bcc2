import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateReportConfigurations1763700010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE report_configurations (
        id uuid CONSTRAINT report_configurations_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        project_id uuid,
        name text NOT NULL,
        accounting_provider text NOT NULL,
        period_start date NOT NULL,
        period_end date NOT NULL,
        category_filter json NOT NULL,
        output_options json NOT NULL,
        status text NOT NULL,
        search_key text NOT NULL
      );
      CREATE INDEX report_configurations_newest ON report_configurations (organization_id, environment, id);
      CREATE INDEX report_configurations_by_status ON report_configurations (organization_id, environment, status, id);
      CREATE INDEX report_configurations_by_project ON report_configurations (organization_id, environment, project_id, id);
      CREATE INDEX report_configurations_search ON report_configurations USING gin ((organization_id::text || environment), search_key gin_trgm_ops) WITH (gin_pending_list_limit = 64);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE report_configurations');
  }
}
