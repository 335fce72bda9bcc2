import type { MigrationInterface, QueryRunner } from 'typeorm';
import { customFieldIndex } from '../../../src/extension-api.js';

/** The indexes are built beside the service. What an interrupted attempt has left is invalid, so it is dropped first. */
export class IndexProjectFields1800000000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(customFieldIndex('claim_projects', 'costCentre', { concurrently: true }));
    await runner.query(customFieldIndex('claim_projects', 'isApproved', { concurrently: true }));
    await runner.query(customFieldIndex('claim_projects', 'soldHours', { concurrently: true, range: 'number' }));
    await runner.query(customFieldIndex('claim_projects', 'dueOn', { concurrently: true, range: 'day' }));
    await runner.query(customFieldIndex('claim_projects', 'beginsAt', { concurrently: true, range: 'time' }));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['cost_centre', 'is_approved', 'sold_hours_range', 'due_on_range', 'begins_at_range'])
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS claim_projects_custom_${name}`);
  }
}
