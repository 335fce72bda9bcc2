import { Injectable } from '@nestjs/common';
import { type PartitionedTable, PartitionRetention, RETENTION_INTERVAL_MS } from '../database/partitions.js';
import { Job } from '../jobs/job.decorator.js';

@Injectable()
export class EventRetention extends PartitionRetention {
  protected readonly table: PartitionedTable = { table: 'events', by: 'id', period: 'week' };

  @Job({
    id: 'events.retain',
    summary: 'Creates partitions for future events and drops those that are older than EVENT_RETENTION.',
    everyMs: RETENTION_INTERVAL_MS,
  })
  retain(): Promise<void> {
    return this.apply(this.settings.eventRetentionMs);
  }
}
