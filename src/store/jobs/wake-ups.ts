import type { RegisteredJob } from './job-registry.js';

/**
 * Tells workers that a job may have something to do. What it has to do is in Postgres, and every job also runs at its own
 * interval: losing a wake-up costs time, never data.
 */
export abstract class WakeUps {
  /** From now on this process runs the job when it is woken: one execution at a time for each key. */
  abstract register(job: RegisteredJob): void;
  /** Wakes the job in some worker. Best effort, never waits. A key names one of many things, such as a webhook endpoint. */
  abstract wake(jobId: string, key?: string): void;
  /** Wakes the job in this process only. */
  abstract wakeLocally(jobId: string, key?: string): void;
  /** Takes no more wake-ups and waits for the jobs that are running. */
  abstract stop(): Promise<void>;
}
