import { Injectable } from '@nestjs/common';
import { type PartitionedTable, PartitionRetention, RETENTION_INTERVAL_MS } from '../../store/database/partitions.js';
import { Job } from '../../store/jobs/job.decorator.js';

@Injectable()
export class RequestRetention extends PartitionRetention {
  protected readonly table: PartitionedTable = { table: 'api_requests', by: 'id', period: 'week' };

  @Job({
    id: 'requests.retain',
    summary: 'Creates partitions for the history of requests and drops those that are older than REQUEST_HISTORY_RETENTION.',
    everyMs: RETENTION_INTERVAL_MS,
  })
  retain(): Promise<void> {
    return this.apply(this.settings.requestHistoryRetentionMs);
  }
}
