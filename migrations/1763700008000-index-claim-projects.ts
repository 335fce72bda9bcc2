import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexes for lists. The search index includes the tenant as one value, so that a search does not read other tenants' rows.
 * Its pending list halves the cost of the index for inserts. It is kept short, because every search reads it and one insert in
 * forty has to empty it.
 */
export class IndexClaimProjects1763700008000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE EXTENSION IF NOT EXISTS btree_gin;
      CREATE INDEX claim_projects_by_status ON claim_projects (organization_id, environment, status, id);
      CREATE INDEX claim_projects_search ON claim_projects USING gin ((organization_id::text || environment), search_key gin_trgm_ops) WITH (gin_pending_list_limit = 64);
    `);
  }

  /** Keeps the extensions, because something else may use them by now. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX claim_projects_search, claim_projects_by_status');
  }
}
