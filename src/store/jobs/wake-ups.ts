import type { RegisteredJob } from './job-registry.js';

/**
 * Tells a worker that there may be something to do. What there is to do stands in Postgres: a wake-up that is lost costs
 * time, never work, since every job is also looked after at its own interval.
 */
export abstract class WakeUps {
  /** From now on this process does the job when it is woken; one run of it, or of it for one key, at a time. */
  abstract attend(job: RegisteredJob): void;
  /** Best effort, and never waits. With a key it is about one thing of many, such as an endpoint. */
  abstract wake(jobId: string, key?: string): void;
  /** The same for this process alone, whoever else there is. */
  abstract wakeHere(jobId: string, key?: string): void;
  abstract stop(): Promise<void>;
}
