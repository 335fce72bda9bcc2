import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the filters of the delivery log, and for redeliveries, which look for the other attempts of an event. */
export class IndexWebhookDeliveries1763700032000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX webhook_deliveries_by_kind ON webhook_deliveries (webhook_id, event_kind, id);
      CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (webhook_id, event_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_deliveries_by_kind, webhook_deliveries_by_event');
  }
}
