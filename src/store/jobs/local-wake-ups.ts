import { counter } from '../../kernel/metrics.js';
import type { Log } from '../../kernel/log.js';
import type { RegisteredJob } from './job-registry.js';
import { WakeUps } from './wake-ups.js';

const RUNS = counter('jobs_total', 'Executions of a job, by how they ended.', ['job', 'outcome']);

/** A job that is being executed. */
interface Execution {
  isWokenAgain: boolean;
  finished: Promise<void>;
}

/** Wake-ups within one process, for a program without Redis. */
export class LocalWakeUps extends WakeUps {
  private readonly jobs = new Map<string, RegisteredJob>();
  /** By job and key. */
  private readonly executions = new Map<string, Execution>();
  private isStopping = false;

  constructor(private readonly log: Log) {
    super();
  }

  register(job: RegisteredJob): void {
    this.jobs.set(job.id, job);
  }

  wake(jobId: string, key?: string): void {
    const job = this.jobs.get(jobId);
    if (!job || this.isStopping) return;
    const name = `${jobId} ${key ?? ''}`;
    const current = this.executions.get(name);
    // The current execution may have read its rows before this wake-up, so the job is executed once more after it.
    if (current) current.isWokenAgain = true;
    else this.start(name, job, key);
  }

  wakeLocally(jobId: string, key?: string): void {
    this.wake(jobId, key);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.executions.values()].map(({ finished }) => finished));
  }

  private start(name: string, job: RegisteredJob, key: string | undefined): void {
    const execution: Execution = { isWokenAgain: false, finished: Promise.resolve() };
    this.executions.set(name, execution);
    execution.finished = this.execute(name, execution, job, key);
  }

  private async execute(name: string, execution: Execution, job: RegisteredJob, key: string | undefined): Promise<void> {
    do {
      execution.isWokenAgain = false;
      await job.run(key).then(
        () => RUNS.inc({ job: job.id, outcome: 'succeeded' }),
        (error: unknown) => {
          RUNS.inc({ job: job.id, outcome: 'failed' });
          this.log.error({ err: error, job: job.id, key }, 'job failed');
        },
      );
    } while (execution.isWokenAgain && !this.isStopping);
    // No await between the check and this line, so no wake-up is lost between them.
    this.executions.delete(name);
  }
}
