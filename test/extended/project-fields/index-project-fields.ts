import type { MigrationInterface, QueryRunner } from 'typeorm';
import { customFieldIndex } from '../../../src/extension-api.js';

export class IndexProjectFields1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(customFieldIndex('claim_projects', 'costCentre'));
    await runner.query(customFieldIndex('claim_projects', 'isApproved'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX claim_projects_custom_cost_centre, claim_projects_custom_is_approved');
  }
}
