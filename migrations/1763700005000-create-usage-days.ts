import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateUsageDays1763700005000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_days (
        organization_id uuid NOT NULL,
        environment text NOT NULL,
        day date NOT NULL,
        capability text NOT NULL,
        reads integer NOT NULL,
        writes integer NOT NULL,
        failed integer NOT NULL,
        CONSTRAINT usage_days_pkey PRIMARY KEY (organization_id, environment, day, capability)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE usage_days');
  }
}
