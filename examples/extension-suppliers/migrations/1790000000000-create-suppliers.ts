import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSuppliers1790000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE suppliers (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        name text NOT NULL,
        status text NOT NULL,
        search_key text NOT NULL,
        CONSTRAINT suppliers_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE INDEX suppliers_newest ON suppliers (organization_id, environment, id);
      CREATE INDEX suppliers_by_status ON suppliers (organization_id, environment, status, id);
      CREATE INDEX suppliers_search ON suppliers
        USING gin ((organization_id::text || environment), search_key gin_trgm_ops) WITH (gin_pending_list_limit = 64);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE suppliers');
  }
}
