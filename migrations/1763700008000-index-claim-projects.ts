import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What lists are read by. The tenant stands in the search's index too, as one value, so that other tenants' rows cost a search
 * nothing. Its pending list spares inserts half of what the index costs them; it is kept short, since every search reads it
 * and one insert in forty has to empty it.
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

  /** The extensions stay: somebody else may have come to use them. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX claim_projects_search, claim_projects_by_status');
  }
}
