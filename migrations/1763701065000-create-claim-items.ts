import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateClaimItems1763701065000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE claim_items (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        project_id uuid NOT NULL,
        category_id uuid NOT NULL,
        name text NOT NULL,
        incurred_on date NOT NULL,
        rate numeric NOT NULL,
        quantity numeric NOT NULL,
        unit text,
        rate_source text,
        currency text NOT NULL,
        tax_percent numeric,
        status text NOT NULL,
        entered_by text NOT NULL,
        search_key text NOT NULL,
        CONSTRAINT claim_items_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE INDEX claim_items_newest ON claim_items (organization_id, environment, id);
      CREATE INDEX claim_items_changed ON claim_items (organization_id, environment, updated_at);
      CREATE INDEX claim_items_by_status ON claim_items (organization_id, environment, status, id);
      CREATE INDEX claim_items_by_project ON claim_items (organization_id, environment, project_id, id);
      CREATE INDEX claim_items_by_category ON claim_items (organization_id, environment, category_id, id);
      CREATE INDEX claim_items_search ON claim_items
        USING gin ((organization_id::text || environment), search_key gin_trgm_ops) WITH (gin_pending_list_limit = 64);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE claim_items');
  }
}
