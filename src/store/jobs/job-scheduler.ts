import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../kernel/settings/settings.js';
import { JobRegistry } from './job-registry.js';
import { WakeUps } from './wake-ups.js';

/** Attends to all jobs in a process whose role is to work, and wakes each at its interval. */
@Injectable()
export class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly registry: JobRegistry,
    private readonly wakeUps: WakeUps,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    for (const job of this.registry.jobs) {
      this.wakeUps.attend(job);
      // Here, and not by way of Redis: that it may be away is what the interval is for.
      this.wakeUps.wakeHere(job.id);
      this.timers.push(setInterval(() => this.wakeUps.wakeHere(job.id), job.everyMs).unref());
    }
  }

  /** Before anything that a job needs is shut down. */
  async beforeApplicationShutdown(): Promise<void> {
    this.timers.forEach(clearInterval);
    await this.wakeUps.stop();
  }
}
