import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Actor, changeContext } from '../../kernel/context.js';
import { halfOf } from '../../kernel/fair-share.js';
import { Settings } from '../../kernel/settings/settings.js';
import { type WriteContext, UnitOfWork } from '../database/unit-of-work.js';
import { Problem } from '../../kernel/problems.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import { counter, duration } from '../../kernel/metrics.js';
import { Log } from '../../kernel/log.js';
import { type Failure, JobFailure } from '../../kernel/failure.js';
import { FileStoreAway } from '../files/file-store-calls.js';
import { LeaseLost, type LeasedItem, type LeaseQueue } from './lease-queue.js';

/** A row that has lost this many workers is not tried again: most likely the row is what they died of. */
const MAX_LOST_WORKERS = 3;
/** Of a job that is not to go on yet. Its row stays `running`, and takes no place of a worker until then. */
export class Later extends Error {
  constructor(readonly afterMs: number) {
    super();
  }
}

/** When a row is tried again whose files are in a store that is away. Others are worked on meanwhile. */
const FILES_AWAY_MS = 30_000;

const WORKER_LOST: Failure = {
  code: 'worker_lost',
  message: `Given up after ${MAX_LOST_WORKERS} workers stopped responding. Contact support if it happens again.`,
};
const INTERNAL_ERROR: Failure = {
  code: 'internal_error',
  message: 'An unexpected error occurred. Try again, and contact support if it happens again.',
};

const OUTCOMES = ['succeeded', 'failed', 'broken', 'lease_lost', 'handed_back', 'database_away', 'files_away'] as const;
type Outcome = (typeof OUTCOMES)[number];
const PROCESSED = counter('queue_items_total', 'Rows of a queue that a worker has taken, by how that ended.', ['table', 'outcome']);
const TOOK = duration('queue_item_duration_seconds', 'How long a worker had a row of a queue.', 'work', ['table']);

export interface ConsumerOptions {
  readonly queue: LeaseQueue;
  readonly actor: Actor;
  readonly emits: readonly EventDeclaration[];
  /** Called once for each row, in the transaction in which its first worker takes it. */
  readonly begin: (ctx: WriteContext, item: LeasedItem) => Promise<void> | void;
  /** Does all there is to do and sets the row to `succeeded`. Must call `queue.confirmLease` before it writes. */
  readonly run: (item: LeasedItem, signal: AbortSignal) => Promise<void>;
  /** Sets the row to `failed`. Called only while this worker holds the row. */
  readonly fail: (ctx: WriteContext, item: LeasedItem, failure: Failure) => Promise<void>;
}

/** As many at once as there are threads; of one organization at most half, so that there is room for the first row of another one. */
export class QueueConsumer {
  private readonly stopping = new AbortController();
  private readonly inHand = new Map<LeasedItem, Promise<void>>();
  private taking: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: ConsumerOptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
    private readonly capacity: number,
  ) {
    for (const outcome of OUTCOMES) PROCESSED.inc({ table: options.queue.table, outcome }, 0);
  }

  /** Takes rows until none is left or there is no more room. They are processed meanwhile; where one has ended, the next is taken. */
  consume(): Promise<void> {
    // One call after the other: what may be taken next depends on what was taken before.
    this.taking = this.taking.catch(() => undefined).then(() => this.fill());
    return this.taking;
  }

  async isIdle(): Promise<boolean> {
    return this.inHand.size === 0 && !(await this.options.queue.hasRows());
  }

  /** What is being computed is stopped, and its row handed back for another worker; a result that is being written is written. */
  async stop(): Promise<void> {
    this.stopping.abort(new Stopping());
    await this.taking.catch(() => undefined);
    await Promise.all(this.inHand.values());
  }

  private async fill(): Promise<void> {
    while (!this.stopping.signal.aborted && this.inHand.size < this.capacity) {
      const item = await this.take();
      if (!item) return;
      const { table } = this.options.queue;
      const end = TOOK.startTimer({ table });
      const unsettled = (err: unknown): void => this.log.error({ err, table, id: item.id }, 'job failed');
      this.inHand.set(item, this.process(item).catch(unsettled).finally(end).finally(this.ended(item)));
    }
  }

  private ended(item: LeasedItem): () => void {
    return () => {
      this.inHand.delete(item);
      // If this fails, the next execution of the job says so.
      this.consume().catch(() => undefined);
    };
  }

  /** Those of which no more rows may be taken. */
  private get served(): string[] {
    const held = new Map<string, number>();
    for (const { organizationId } of this.inHand.keys()) held.set(organizationId, (held.get(organizationId) ?? 0) + 1);
    return [...held].filter(([, count]) => count >= halfOf(this.capacity)).map(([organizationId]) => organizationId);
  }

  transaction<T>(item: LeasedItem, work: (ctx: WriteContext) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(this.contextOf(item), work);
  }

  private take(): Promise<LeasedItem | undefined> {
    const { queue, begin } = this.options;
    return this.unitOfWork.transact(async (unit) => {
      const item = await queue.take(unit, this.served);
      if (item && !item.isBegun) await begin({ ...this.contextOf(item), unit }, item);
      return item;
    });
  }

  private async process(item: LeasedItem): Promise<void> {
    const { queue, run, fail } = this.options;
    try {
      if (item.lostWorkers >= MAX_LOST_WORKERS) throw new JobFailure(WORKER_LOST.code, WORKER_LOST.message);
      await queue.whileLeased(item, (signal) => run(item, signal), this.stopping.signal);
      this.count('succeeded');
    } catch (error) {
      this.count(outcomeOf(error));
      if (error instanceof LeaseLost) return this.log.info({ table: queue.table, id: item.id }, 'lease lost');
      if (error instanceof Stopping) return await this.handBack(item);
      if (error instanceof Later) return await this.putOff(item, error.afterMs);
      if (error instanceof FileStoreAway) return await this.handBack(item, FILES_AWAY_MS);
      // The failure cannot be written while the database is unavailable. When the lease ends, a worker takes the row again.
      if (error instanceof Problem && error.code === 'unavailable') throw error;
      const failure = error instanceof JobFailure ? { code: error.code, message: error.message } : INTERNAL_ERROR;
      if (failure === INTERNAL_ERROR) this.log.error({ table: queue.table, id: item.id, ...traceOf(error) }, 'job failed');
      await this.transaction(item, async (ctx) => {
        if (await queue.holdsLease(item, ctx.unit)) await fail(ctx, item, failure);
      });
    }
  }

  /** If this worker stops meanwhile, another one finds the row at its next turn. */
  private async putOff(item: LeasedItem, afterMs: number): Promise<void> {
    await this.handBack(item, afterMs);
    setTimeout(this.ended(item), afterMs + 1).unref();
  }

  private async handBack(item: LeasedItem, afterMs = 0): Promise<void> {
    const { queue } = this.options;
    this.log.info({ table: queue.table, id: item.id }, 'handed back');
    // If the database is unavailable, another worker takes the row when the lease has ended.
    await queue.handBack(item, afterMs).catch(() => undefined);
  }

  private count(outcome: Outcome): void {
    PROCESSED.inc({ table: this.options.queue.table, outcome });
  }

  private contextOf(item: LeasedItem) {
    const { actor, emits } = this.options;
    return { ...changeContext(item.organizationId, actor), environment: item.environment, emits, isMove: true };
  }
}

/** `failed` tells its owner what is wrong; `broken` is our fault, also where it took its workers with it. */
function outcomeOf(error: unknown): Outcome {
  if (error instanceof LeaseLost) return 'lease_lost';
  if (error instanceof Stopping || error instanceof Later) return 'handed_back';
  if (error instanceof FileStoreAway) return 'files_away';
  if (error instanceof Problem && error.code === 'unavailable') return 'database_away';
  return error instanceof JobFailure && error.code !== WORKER_LOST.code ? 'failed' : 'broken';
}

class Stopping extends Error {}

/** The stack without the message: an error's message may quote tenants' data. */
function traceOf(error: unknown): object {
  const { name, code, stack } = error as { name?: string; code?: unknown; stack?: string };
  return { name, code, stack: stack?.split('\n').filter((line) => line.startsWith('    at ')) };
}

@Injectable()
export class QueueConsumers implements OnModuleDestroy {
  private readonly all: QueueConsumer[] = [];

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
    private readonly settings: Settings,
  ) {}

  make(options: ConsumerOptions): QueueConsumer {
    const consumer = new QueueConsumer(options, this.unitOfWork, this.log, this.settings.computeThreads);
    this.all.push(consumer);
    return consumer;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.all.map((consumer) => consumer.stop()));
  }
}
