import { setTimeout as delay } from 'node:timers/promises';
import type { Job as BullJob, Queue } from 'bull';
import type { Log } from '../../kernel/log.js';
import type { RegisteredJob } from './job-registry.js';
import { LocalWakeUps } from './local-wake-ups.js';
import { WakeUps } from './wake-ups.js';

const PATIENCE_MS = 2000;
/** More wake-ups of one thing than this need not be told apart. */
const GATHERED_MS = 20;

/**
 * Wake-ups between processes: Bull jobs. The first wake-up of a thing goes out at once, those that follow within a moment
 * as one at its end. What Bull hands out only wakes this process and is done at once: a job of Bull that lasted as long as
 * the work would swallow the wake-ups that come meanwhile.
 */
export class BullWakeUps extends WakeUps {
  private readonly local: LocalWakeUps;
  /** What was woken a moment ago, and whether it was woken again since. */
  private readonly gathering = new Map<string, { again: boolean }>();

  constructor(
    private readonly queue: Queue,
    private readonly log: Log,
  ) {
    super();
    this.local = new LocalWakeUps(log);
    // Nest's module for Bull would close the queue as well, and wait for that.
    Object.assign(queue, { onApplicationShutdown: undefined });
    queue.on('error', (error: Error) => log.warn({ reason: error.message }, 'The wake-up queue is away'));
  }

  attend(job: RegisteredJob): void {
    this.local.attend(job);
    const wakeUp = ({ data }: BullJob<{ key?: string }>): Promise<void> => Promise.resolve(this.local.wake(job.id, data.key));
    this.queue.process(job.id, 1, wakeUp).catch((error: unknown) => this.log.error({ err: error, job: job.id }, 'A job is not attended'));
  }

  wake(jobId: string, key?: string): void {
    const name = `${jobId} ${key ?? ''}`;
    const gathering = this.gathering.get(name);
    if (gathering) {
      gathering.again = true;
      return;
    }
    const begun = { again: false };
    this.gathering.set(name, begun);
    this.add(jobId, key);
    setTimeout(() => {
      this.gathering.delete(name);
      if (begun.again) this.wake(jobId, key);
    }, GATHERED_MS).unref();
  }

  wakeHere(jobId: string, key?: string): void {
    this.local.wake(jobId, key);
  }

  private add(jobId: string, key?: string): void {
    // Not awaited: while Redis is away `add` does not come back. The interval of the job makes up for what is lost.
    this.queue
      .add(jobId, { key }, { removeOnComplete: true, removeOnFail: true })
      .catch((error: Error) => this.log.warn({ reason: error.message, job: jobId }, 'A wake-up was lost'));
  }

  async stop(): Promise<void> {
    const isAway = this.queue.client.status !== 'ready';
    const closed = this.queue
      .close(isAway)
      .catch((error: Error) => this.log.debug({ reason: error.message }, 'The wake-up queue was not closed cleanly'));
    await this.local.stop();
    // Jobs are waited for however long they take, but not Bull's goodbyes to Redis: while it is away they may never end.
    const patience = new AbortController();
    await Promise.race([closed.finally(() => patience.abort()), delay(PATIENCE_MS, undefined, patience).catch(() => undefined)]);
    for (const client of this.queue.clients) client.disconnect();
  }
}
