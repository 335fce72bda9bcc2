import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSampleWidgets1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sample_widgets (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        name text NOT NULL,
        status text NOT NULL,
        search_key text NOT NULL,
        CONSTRAINT sample_widgets_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE INDEX sample_widgets_newest ON sample_widgets (organization_id, environment, id);
      CREATE INDEX sample_widgets_by_status ON sample_widgets (organization_id, environment, status, id);
      CREATE INDEX sample_widgets_search ON sample_widgets
        USING gin ((organization_id::text || environment), search_key gin_trgm_ops) WITH (gin_pending_list_limit = 64);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sample_widgets');
  }
}
