import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Partitions, type Divided } from '../../../store/database/partitions.js';
import { Job } from '../../../store/jobs/job.decorator.js';

const DELIVERIES: Divided = { table: 'webhook_deliveries', by: 'id', period: 'week' };
/** Weeks that are there before they are needed: so long all workers may be away. */
const AHEAD = 3;

/** Makes room for deliveries to come, and forgets those that are older than DELIVERY_RETENTION. */
@Injectable()
export class DeliveryRetention implements OnApplicationBootstrap {
  constructor(
    private readonly partitions: Partitions,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.partitions.ensure(DELIVERIES, this.clock.now(), AHEAD);
  }

  @Job({
    id: 'webhooks.retain',
    summary: 'Makes room for deliveries to come, and forgets those that are older than DELIVERY_RETENTION.',
    everyMs: 3_600_000,
  })
  async retain(): Promise<void> {
    const now = this.clock.now();
    await this.partitions.ensure(DELIVERIES, now, AHEAD);
    await this.partitions.dropBefore(DELIVERIES, new Date(now.getTime() - this.settings.deliveryRetentionMs));
  }
}
