import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an attempt was sent with, and what came back. */
export class ExtendWebhooks1763700033000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN sent json, ADD COLUMN answer json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN sent, DROP COLUMN answer');
  }
}
