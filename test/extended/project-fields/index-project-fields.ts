import type { MigrationInterface, QueryRunner } from 'typeorm';
import { customFieldIndex } from '../../../src/extension-api.js';

/** The indexes are built beside the service. What an interrupted attempt has left is invalid, so it is dropped first. */
export class IndexProjectFields1800000000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(customFieldIndex('claim_projects', 'costCentre', { concurrently: true }));
    await runner.query(customFieldIndex('claim_projects', 'isApproved', { concurrently: true }));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS claim_projects_custom_cost_centre');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS claim_projects_custom_is_approved');
  }
}
