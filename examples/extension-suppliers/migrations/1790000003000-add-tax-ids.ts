import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Version 1.1. What is not null would need a default: processes of the version before still write suppliers meanwhile. */
export class AddTaxIds1790000003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE suppliers ADD tax_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE suppliers DROP COLUMN tax_id');
  }
}
