import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateExpenseCategories1763700009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE expense_categories (
        id uuid CONSTRAINT expense_categories_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        project_id uuid,
        code text NOT NULL,
        name text NOT NULL,
        source_provider text NOT NULL,
        source_mapping json NOT NULL,
        status text NOT NULL,
        unique_key text NOT NULL,
        search_key text NOT NULL
      );
      CREATE INDEX expense_categories_newest ON expense_categories (organization_id, environment, id);
      CREATE INDEX expense_categories_by_status ON expense_categories (organization_id, environment, status, id);
      CREATE INDEX expense_categories_by_project ON expense_categories (organization_id, environment, project_id, id);
      CREATE INDEX expense_categories_search ON expense_categories USING gin ((organization_id::text || environment), search_key gin_trgm_ops) WITH (gin_pending_list_limit = 64);
      CREATE UNIQUE INDEX expense_categories_unique ON expense_categories (organization_id, environment, unique_key);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE expense_categories');
  }
}
