import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How organizations have written down that tables of bank statements are read. */
export class CreateStatementLayouts1763700030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE statement_layouts (
        id uuid CONSTRAINT statement_layouts_pkey PRIMARY KEY,
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        name text NOT NULL,
        fingerprint text,
        layout json NOT NULL,
        created_at timestamptz(3) NOT NULL
      );
      CREATE UNIQUE INDEX statement_layouts_name ON statement_layouts (organization_id, environment, name);
      CREATE UNIQUE INDEX statement_layouts_fingerprint ON statement_layouts (organization_id, environment, fingerprint);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE statement_layouts');
  }
}
