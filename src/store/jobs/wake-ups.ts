import type { Log } from '../../kernel/log.js';
import { counter } from '../../kernel/metrics.js';
import type { Execution, RegisteredJob } from './job-registry.js';

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

// Not `job`: Prometheus gives every series a label of that name, and ours would be lost.
export const RUNS = counter('jobs_total', 'Executions of a job, by how they ended.', ['task', 'outcome']);

interface Running extends Execution {
  isWokenAgain: boolean;
  finished: Promise<void>;
}

export const nameOf = (jobId: string, key = ''): string => `${jobId} ${key}`;

/** Wake-ups within one process, for a program without Redis. */
export class LocalWakeUps extends WakeUps {
  private readonly jobs = new Map<string, RegisteredJob>();
  /** By job and key. */
  private readonly executions = new Map<string, Running>();
  private isStopping = false;

  constructor(private readonly log: Log) {
    super();
  }

  register(job: RegisteredJob): void {
    this.jobs.set(job.id, job);
    for (const outcome of ['succeeded', 'failed']) RUNS.inc({ task: job.id, outcome }, 0);
  }

  wake(jobId: string, key?: string): void {
    const job = this.jobs.get(jobId);
    if (!job || this.isStopping) return;
    const name = nameOf(jobId, key);
    const current = this.executions.get(name);
    // The current execution may have read its rows before this wake-up, so the job is executed once more after it.
    if (!current) this.start(name, job, key);
    else if (!current.onWoken?.()) current.isWokenAgain = true;
  }

  /** Tells an execution in this process, if there is one, that there may be more to do. */
  tell(name: string): void {
    this.executions.get(name)?.onWoken?.();
  }

  wakeLocally(jobId: string, key?: string): void {
    this.wake(jobId, key);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.executions.values()].map(({ finished }) => finished));
  }

  private start(name: string, job: RegisteredJob, key: string | undefined): void {
    const execution: Running = { isWokenAgain: false, finished: Promise.resolve() };
    this.executions.set(name, execution);
    execution.finished = this.execute(name, execution, job, key);
  }

  private async execute(name: string, execution: Running, job: RegisteredJob, key: string | undefined): Promise<void> {
    do {
      execution.isWokenAgain = false;
      delete execution.onWoken;
      await job.run(key, execution).then(
        () => RUNS.inc({ task: job.id, outcome: 'succeeded' }),
        (error: unknown) => {
          RUNS.inc({ task: job.id, outcome: 'failed' });
          this.log.error({ err: error, job: job.id, key }, 'job failed');
        },
      );
    } while (execution.isWokenAgain && !this.isStopping);
    // No await between the check and this line, so no wake-up is lost between them.
    this.executions.delete(name);
  }
}
