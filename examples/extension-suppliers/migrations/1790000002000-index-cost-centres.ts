import type { MigrationInterface, QueryRunner } from 'typeorm';
import { customFieldIndex } from '../../../extension-api.js';

/** Projects may be many already, so the index is built beside the service. */
export class IndexCostCentres1790000002000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an attempt that was interrupted has left is not valid.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS claim_projects_custom_cost_centre');
    await runner.query(customFieldIndex('claim_projects', 'costCentre', { concurrently: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS claim_projects_custom_cost_centre');
  }
}
