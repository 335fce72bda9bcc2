import type { MigrationInterface, QueryRunner } from 'typeorm';
import { customFieldIndex } from '../../../extension-api.js';

/** Projects may be many already, so the index is built beside the service. What an interrupted attempt has left is invalid. */
export class IndexCostCentres1790000002000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(customFieldIndex('claim_projects', 'costCentre', { concurrently: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS claim_projects_custom_cost_centre');
  }
}
