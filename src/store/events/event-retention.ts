import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Settings } from '../../kernel/settings/settings.js';
import { Partitions, type Divided } from '../database/partitions.js';
import { Job } from '../jobs/job.decorator.js';

const EVENTS: Divided = { table: 'events', by: 'id', period: 'week' };
/** Weeks that are there before they are needed: so long all workers may be away. */
const AHEAD = 3;

/** Makes room for events to come, and forgets those that are older than EVENT_RETENTION. */
@Injectable()
export class EventRetention implements OnApplicationBootstrap {
  constructor(
    private readonly partitions: Partitions,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.partitions.ensure(EVENTS, this.clock.now(), AHEAD);
  }

  @Job({
    id: 'events.retain',
    summary: 'Makes room for events to come, and forgets those that are older than EVENT_RETENTION.',
    everyMs: 3_600_000,
  })
  async retain(): Promise<void> {
    const now = this.clock.now();
    await this.partitions.ensure(EVENTS, now, AHEAD);
    await this.partitions.dropBefore(EVENTS, new Date(now.getTime() - this.settings.eventRetentionMs));
  }
}
