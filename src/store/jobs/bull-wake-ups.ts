import type { Job as BullJob, Queue } from 'bull';
import { inTime } from '../../kernel/in-time.js';
import type { Log } from '../../kernel/log.js';
import type { RedisClient } from '../redis/connect-redis.js';
import type { RegisteredJob } from './job-registry.js';
import { LocalWakeUps, nameOf, WakeUps } from './wake-ups.js';

/** How long `stop` waits for Bull to close its connections. */
const CLOSE_TIMEOUT_MS = 2000;
/** Wake-ups of the same job and key within this time are sent as one. */
const DEBOUNCE_MS = 20;
/** Workers that deliver to an endpoint hear at once that there is more for it. One that misses it finds it a moment later. */
const TOLD = 'claims:told';

/**
 * Wake-ups between processes, as Bull jobs. The first wake-up of a job and key is sent at once; those that follow within
 * `DEBOUNCE_MS` are sent as one afterwards. A Bull job only wakes this process and then completes. If it lasted as long as the
 * job itself, Bull would drop the wake-ups that arrive meanwhile.
 */
export class BullWakeUps extends WakeUps {
  private readonly local: LocalWakeUps;
  /** Wake-ups that were just sent, by job and key. */
  private readonly recent = new Map<string, { isWokenAgain: boolean }>();
  private listener: RedisClient | undefined;

  constructor(
    private readonly queue: Queue,
    private readonly connect: () => RedisClient,
    /** Those that were made by it, for the queue as well. */
    private readonly connections: readonly RedisClient[],
    private readonly log: Log,
  ) {
    super();
    this.local = new LocalWakeUps(log);
    // `stop` closes the queue, and waits no longer than it must.
    keepNestFromClosing(queue);
    queue.on('error', (error: Error) => log.warn({ reason: error.message }, 'wake-up queue away'));
  }

  register(job: RegisteredJob): void {
    this.listener ??= this.listen();
    this.local.register(job);
    const wakeUp = ({ data }: BullJob<{ key?: string }>): Promise<void> => Promise.resolve(this.local.wake(job.id, data.key));
    this.queue.process(job.id, 1, wakeUp).catch((error: unknown) => this.log.error({ err: error, job: job.id }, 'job not registered'));
  }

  private listen(): RedisClient {
    const listener = this.connect().on('message', (_channel: string, name: string) => this.local.tell(name));
    listener.subscribe(TOLD).catch((error: Error) => this.log.warn({ reason: error.message }, 'wake-ups of running jobs are not heard'));
    return listener;
  }

  wake(jobId: string, key?: string): void {
    const name = nameOf(jobId, key);
    // While Redis is away, what is sent to it would be kept.
    if (key !== undefined && this.queue.client.status === 'ready') this.queue.client.publish(TOLD, name).catch(() => undefined);
    const previous = this.recent.get(name);
    if (previous) {
      previous.isWokenAgain = true;
      return;
    }
    const sent = { isWokenAgain: false };
    this.recent.set(name, sent);
    this.send(jobId, key);
    setTimeout(() => {
      this.recent.delete(name);
      if (sent.isWokenAgain) this.wake(jobId, key);
    }, DEBOUNCE_MS).unref();
  }

  wakeLocally(jobId: string, key?: string): void {
    this.local.wake(jobId, key);
  }

  private send(jobId: string, key?: string): void {
    // Not awaited: `add` does not return while Redis is down. The interval of the job makes up for lost wake-ups.
    this.queue
      .add(jobId, { key }, { removeOnComplete: true, removeOnFail: true })
      .catch((error: Error) => this.log.warn({ reason: error.message, job: jobId }, 'wake-up lost'));
  }

  async stop(): Promise<void> {
    const isAway = this.queue.client.status !== 'ready';
    const closed = this.queue.close(isAway).catch((error: Error) => this.log.debug({ reason: error.message }, 'wake-up queue not closed'));
    // Running jobs are waited for without a limit, but Bull's connections are not: while Redis is down, closing may never end.
    await this.local.stop();
    await inTime(closed, CLOSE_TIMEOUT_MS, () => new Error('It does not close.')).catch(() => undefined);
    disconnectAll(this.connections);
  }
}

// What we use of Bull and of Nest's module for it beyond their documentation. bull-wake-ups.spec.ts watches it.

/** To disconnect one that has ended would keep the process alive for another two seconds. */
export function disconnectAll(connections: readonly RedisClient[]): void {
  for (const client of connections) if (client.status !== 'end') client.disconnect();
}

/** Nest's module makes the queue close itself at shutdown and waits for that. It no longer does after this. */
export function keepNestFromClosing(queue: Queue): void {
  Object.assign(queue, { onApplicationShutdown: undefined });
}
