import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropPartition } from './1763700021000-create-partition-functions.js';
import { asOwnerOf } from './1763700040000-move-rows-by-two-statements.js';

/** The history of requests was missing among the tables whose partitions may be dropped. */
export class DropPartitionsOfRequests1763700752000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(dropPartition(await asOwnerOf(runner), "'events', 'webhook_deliveries', 'api_requests'"));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropPartition(await asOwnerOf(runner)));
  }
}
