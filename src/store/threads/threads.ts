import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { inWords } from '../../kernel/durations.js';
import { FairShare, halfOf } from '../../kernel/fair-share.js';
import { gauge } from '../../kernel/metrics.js';
import { JobFailure } from '../../kernel/failure.js';
import { Settings } from '../../kernel/settings/settings.js';
import type { AnyComputation, InputOf, ItemOf, OutputOf, ResultOf } from './messages.js';
import { ComputeThread, OutOfMemory } from './compute-thread.js';

/** How long a thread without work is kept. Its memory is free again after that, and starting one takes a tenth of a second. */
const KEPT_WARM_MS = 60_000;
/** The longest time that a timer of Node can wait: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const BUSY = gauge('compute_threads_busy', 'Threads that compute a report or read a statement; COMPUTE_THREADS bounds them.');

/** The items of a computation that only needs its input. */
export const NOTHING: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** What to compute, and what its owner can do when it is too much. */
export interface Work<C extends AnyComputation> {
  readonly organizationId: string;
  readonly input: InputOf<C>;
  readonly items: AsyncIterable<ItemOf<C>>;
  /** Aborts the computation, also while it waits for a thread. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it is done sooner by two threads: it has a second one if nobody has to wait for that. */
  readonly isForTwo?: boolean;
  /** Where it is shorter than `COMPUTE_TIMEOUT`. */
  readonly timeoutMs?: number;
  /** A sentence that ends the message of a computation that took too long or too much memory. */
  readonly advice: string;
}

/**
 * Runs computations in threads, so that this process answers requests meanwhile. The first computation starts a thread, later
 * ones use it again. `COMPUTE_THREADS` bounds their number, `COMPUTE_TIMEOUT` and `COMPUTE_MEMORY_MIB` what a computation may take.
 * An organization has at most half of the threads, and organizations that wait for one take turns.
 */
@Injectable()
export class Threads implements OnApplicationShutdown {
  private readonly idle = new Map<ComputeThread, NodeJS.Timeout>();
  private readonly places: FairShare;

  constructor(private readonly settings: Settings) {
    const capacity = settings.computeThreads;
    this.places = new FairShare({ what: 'Threads', capacity, share: halfOf(capacity), maxWaiting: Infinity, maxWaitMs: Infinity });
  }

  /** `file` is the URL of a `….computation.js`. Its outputs are computed a little ahead of the consumer. */
  async *compute<C extends AnyComputation>(file: URL, work: Work<C>): AsyncGenerator<OutputOf<C>, ResultOf<C>> {
    const { organizationId, input, items, signal, advice } = work;
    const { computeTimeoutMs, computeMemoryMib } = this.settings;
    const giveBack = await this.places.takePatiently(organizationId, 1, signal);
    const thread = this.takeThread();
    const giveBackSecond = work.isForTwo ? this.places.tryTake(organizationId) : undefined;
    if (giveBackSecond) BUSY.inc();
    const stop = new AbortController();
    const onAbort = (): void => stop.abort(signal!.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort);
    const timeoutMs = Math.min(work.timeoutMs ?? computeTimeoutMs, computeTimeoutMs);
    const tooLong = new JobFailure('took_too_long', `The work took more than ${inWords(timeoutMs)}. ${advice}`);
    const timer = setTimeout(() => stop.abort(tooLong), Math.min(timeoutMs, MAX_TIMER_MS));
    try {
      const secondMib = giveBackSecond && computeMemoryMib;
      const outputs = thread.compute({ file: file.href, input, items, secondMib, stop });
      return yield* outputs as AsyncGenerator<OutputOf<C>, ResultOf<C>>;
    } catch (error) {
      if (!(error instanceof OutOfMemory)) throw error;
      throw new JobFailure('took_too_much_memory', `The work took more than ${computeMemoryMib} MiB of memory. ${advice}`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.keep(thread);
      giveBack();
      if (giveBackSecond) BUSY.dec();
      giveBackSecond?.();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.idle.forEach((timer) => clearTimeout(timer));
    await Promise.all([...this.idle.keys()].map((thread) => thread.end()));
  }

  private takeThread(): ComputeThread {
    BUSY.inc();
    const [warm] = [...this.idle].findLast(([thread]) => thread.isUsable) ?? [];
    if (!warm) return new ComputeThread(this.settings.computeMemoryMib);
    clearTimeout(this.idle.get(warm));
    this.idle.delete(warm);
    return warm;
  }

  private keep(thread: ComputeThread): void {
    BUSY.dec();
    const retire = (): void => {
      this.idle.delete(thread);
      void thread.end();
    };
    if (thread.isUsable) this.idle.set(thread, setTimeout(retire, KEPT_WARM_MS).unref());
  }
}
