import type { Job } from '../operation/registry.js';

/**
 * Tells a worker that there may be something to do. What there is to do stands in Postgres: a wake-up that is lost costs
 * time, never work, since every job is also looked after at its own interval.
 */
export abstract class WakeUps {
  /** From now on this process does the job when it is woken; one run of it at a time. */
  abstract attend(job: Job): void;
  /** Best effort, and never waits. */
  abstract wake(jobId: string): void;
  abstract stop(): Promise<void>;
}
