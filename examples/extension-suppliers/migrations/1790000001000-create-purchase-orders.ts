import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreatePurchaseOrders1790000001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE purchase_orders (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        supplier_id uuid NOT NULL,
        project_id uuid,
        number text,
        name text NOT NULL,
        quantity numeric NOT NULL,
        amount numeric NOT NULL,
        currency text NOT NULL,
        ordered_on date NOT NULL,
        status text NOT NULL,
        unique_key text,
        search_key text NOT NULL,
        CONSTRAINT purchase_orders_pkey PRIMARY KEY (id, organization_id)
      );
      CREATE INDEX purchase_orders_newest ON purchase_orders (organization_id, environment, id);
      CREATE INDEX purchase_orders_by_supplier ON purchase_orders (organization_id, environment, supplier_id, id);
      CREATE INDEX purchase_orders_by_project ON purchase_orders (organization_id, environment, project_id, id);
      CREATE INDEX purchase_orders_by_status ON purchase_orders (organization_id, environment, status, id);
      CREATE INDEX purchase_orders_by_quantity ON purchase_orders (organization_id, environment, quantity, id);
      CREATE INDEX purchase_orders_by_amount ON purchase_orders (organization_id, environment, amount, id);
      CREATE INDEX purchase_orders_by_day ON purchase_orders (organization_id, environment, ordered_on, id);
      CREATE UNIQUE INDEX purchase_orders_unique ON purchase_orders (organization_id, environment, unique_key);
      CREATE INDEX purchase_orders_search ON purchase_orders
        USING gin ((organization_id::text || environment), search_key gin_trgm_ops) WITH (gin_pending_list_limit = 64);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE purchase_orders');
  }
}
