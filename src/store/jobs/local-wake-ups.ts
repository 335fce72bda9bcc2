import type { Log } from '../../kernel/log.js';
import type { RegisteredJob } from './job-registry.js';
import { WakeUps } from './wake-ups.js';

interface Run {
  again: boolean;
  ended: Promise<void>;
}

/** Wake-ups within one process: what there is without Redis. */
export class LocalWakeUps extends WakeUps {
  private readonly jobs = new Map<string, RegisteredJob>();
  private readonly runs = new Map<string, Run>();
  private stopping = false;

  constructor(private readonly log: Log) {
    super();
  }

  attend(job: RegisteredJob): void {
    this.jobs.set(job.id, job);
  }

  wake(jobId: string, key?: string): void {
    const job = this.jobs.get(jobId);
    if (!job || this.stopping) return;
    const name = `${jobId} ${key ?? ''}`;
    const running = this.runs.get(name);
    // Woken while it runs: what woke it may have come too late for this run, so it runs once more.
    if (running) running.again = true;
    else this.start(name, job, key);
  }

  wakeHere(jobId: string, key?: string): void {
    this.wake(jobId, key);
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.runs.values()].map(({ ended }) => ended));
  }

  private start(name: string, job: RegisteredJob, key: string | undefined): void {
    const run: Run = { again: false, ended: Promise.resolve() };
    this.runs.set(name, run);
    run.ended = this.repeat(name, run, job, key);
  }

  private async repeat(name: string, run: Run, job: RegisteredJob, key: string | undefined): Promise<void> {
    do {
      run.again = false;
      await job.run(key).catch((error: unknown) => this.log.error({ err: error, job: job.id, key }, 'A job failed'));
    } while (run.again && !this.stopping);
    // In the same breath, so that no wake-up falls in between.
    this.runs.delete(name);
  }
}
