import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { DatabaseClock } from './database-clock.js';
import { Partitions, type PartitionedTable } from './partitions.js';

/** How many periods ahead partitions exist. If no worker runs for longer, rows go into the default partition until one does. */
const PERIODS_AHEAD = 3;

/** How often a retention job runs. */
export const RETENTION_INTERVAL_MS = 3_600_000;

/**
 * Keeps the rows of a partitioned table for a limited time: creates partitions ahead, at the start of the process and hourly, and
 * drops those whose rows are all older than the retention. A subclass names the table and calls `apply` from its @Job method.
 */
@Injectable()
export abstract class PartitionRetention implements OnApplicationBootstrap {
  protected abstract readonly table: PartitionedTable;

  constructor(
    private readonly partitions: Partitions,
    private readonly clock: DatabaseClock,
    protected readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.partitions.ensure(this.table, this.clock.now(), PERIODS_AHEAD);
  }

  protected async apply(retentionMs: number): Promise<void> {
    const now = this.clock.now();
    await this.partitions.ensure(this.table, now, PERIODS_AHEAD);
    await this.partitions.dropBefore(this.table, new Date(now.getTime() - retentionMs));
  }
}
