import { Injectable } from '@nestjs/common';
import { PartitionRetention, RETENTION_INTERVAL_MS } from '../../store/database/partition-retention.js';
import type { PartitionedTable } from '../../store/database/partitions.js';
import { Job } from '../../store/jobs/job.decorator.js';
import { KEPT_DAYS } from './history-bounds.js';

@Injectable()
export class RequestRetention extends PartitionRetention {
  protected readonly table: PartitionedTable = { table: 'api_requests', by: 'id', period: 'week' };

  @Job({
    id: 'requests.retain',
    summary: 'Creates partitions for the history of requests and drops those that are older than a week.',
    everyMs: RETENTION_INTERVAL_MS,
  })
  retain(): Promise<void> {
    return this.apply(KEPT_DAYS * 86_400_000);
  }
}
