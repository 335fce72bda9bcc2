import { Injectable } from '@nestjs/common';
import { type PartitionedTable, PartitionRetention, RETENTION_INTERVAL_MS } from '../../../store/database/partitions.js';
import { Job } from '../../../store/jobs/job.decorator.js';

@Injectable()
export class DeliveryRetention extends PartitionRetention {
  protected readonly table: PartitionedTable = { table: 'webhook_deliveries', by: 'id', period: 'week' };

  @Job({
    id: 'webhooks.retain',
    summary: 'Creates partitions for future deliveries and drops those that are older than DELIVERY_RETENTION.',
    everyMs: RETENTION_INTERVAL_MS,
  })
  retain(): Promise<void> {
    return this.apply(this.settings.deliveryRetentionMs);
  }
}
