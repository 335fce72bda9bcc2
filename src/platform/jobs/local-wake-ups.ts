import type { Log } from '../logging/log.js';
import type { Job } from '../operation/registry.js';
import { WakeUps } from './wake-ups.js';

interface Attended {
  readonly job: Job;
  running?: Promise<void>;
  again: boolean;
}

/** Wake-ups within one process: what there is without Redis. */
export class LocalWakeUps extends WakeUps {
  private readonly attended = new Map<string, Attended>();
  private stopping = false;

  constructor(private readonly log: Log) {
    super();
  }

  attend(job: Job): void {
    this.attended.set(job.id, { job, again: false });
  }

  wake(jobId: string): void {
    const attended = this.attended.get(jobId);
    if (!attended || this.stopping) return;
    // Woken while it runs: what woke it may have come too late for this run, so it runs once more.
    if (attended.running) attended.again = true;
    else attended.running = this.run(attended);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const { running } of this.attended.values()) await running;
  }

  private async run(attended: Attended): Promise<void> {
    do {
      attended.again = false;
      await attended.job.run().catch((error: unknown) => this.log.error({ err: error, job: attended.job.id }, 'A job failed'));
    } while (attended.again && !this.stopping);
    attended.running = undefined;
  }
}
