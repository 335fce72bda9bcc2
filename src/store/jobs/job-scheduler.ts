import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { JobRegistry } from './job-registry.js';
import { WakeUps } from './wake-ups.js';

/** Runs all jobs in a process that is a worker, each at least at its interval. */
@Injectable()
export class JobScheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly registry: JobRegistry,
    private readonly wakeUps: WakeUps,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    for (const job of this.registry.jobs) {
      this.wakeUps.register(job);
      // Locally, not through Redis: the interval is there for the time when Redis is down.
      this.wakeUps.wakeLocally(job.id);
      this.timers.push(setInterval(() => this.wakeUps.wakeLocally(job.id), job.everyMs).unref());
    }
  }

  /** Before anything that a job needs is shut down. */
  async beforeApplicationShutdown(): Promise<void> {
    this.timers.forEach(clearInterval);
    await this.wakeUps.stop();
  }
}
