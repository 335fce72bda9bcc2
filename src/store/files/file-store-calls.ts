import { Injectable } from '@nestjs/common';
import { FairShare } from '../../kernel/fair-share.js';
import { inTime } from '../../kernel/in-time.js';
import { Log } from '../../kernel/log.js';
import { duration } from '../../kernel/metrics.js';
import { Problem } from '../../kernel/problems.js';
import { Ports } from '../discovery/ports.js';
import { FileStore } from './file-store.js';

/** How long a store may take for a whole file. */
export const LONGEST_PUT_MS = 30_000;
/** How long it may be silent otherwise: until it answers, and between two pieces of a file. */
const SILENCE_MS = 10_000;
/** How many calls are under way in this process, how many of them for one organization, and how many may wait for one. */
const CALLS = { capacity: 32, share: 24, maxWaiting: 32, maxWaitMs: 5000 };
const RETRY_AFTER_SECONDS = 5;

const TOOK = duration('file_store_duration_seconds', 'How long calls of a file store took, by how they ended.', 'requests', [
  'call',
  'outcome',
]);

type Call = 'put' | 'open' | 'remove';

/** The store did not do what it was asked for. Callers may repeat their call later; a worker does so by itself. */
export class FileStoreAway extends Problem {
  constructor(detail: string, cause?: unknown) {
    super('unavailable', { detail, headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` }, cause });
  }
}

/** Calls the store of an extension. Every call ends in time, holds nothing of the database, and leaves room for other organizations. */
@Injectable()
export class FileStoreCalls {
  private readonly shares = new FairShare({ what: 'Calls of the file store', ...CALLS });

  constructor(
    private readonly ports: Ports,
    private readonly log: Log,
  ) {}

  /** undefined where Postgres keeps all files. */
  get store(): FileStore | undefined {
    return this.ports.only(FileStore);
  }

  put(organizationId: string, run: (store: FileStore, signal: AbortSignal) => Promise<void>): Promise<void> {
    return this.call('put', organizationId, (store) => within(LONGEST_PUT_MS, (signal) => run(store, signal)));
  }

  remove(organizationId: string, key: string): Promise<void> {
    return this.call('remove', organizationId, (store) => within(SILENCE_MS, (signal) => store.remove(key, signal)));
  }

  /** The bytes of a file. What the store does after its answer counts as silence, too, if the reader waits for it. */
  async open(organizationId: string, key: string): Promise<AsyncGenerator<Uint8Array> | undefined> {
    const end = new AbortController();
    const found = await this.call('open', organizationId, (store) => within(SILENCE_MS, (signal) => store.open(key, signal), end));
    // Begun at once: the body of an answer to `fetch` that nobody reads ends when its answer is garbage.
    return found && this.read(found[Symbol.asyncIterator](), end);
  }

  private async *read(iterator: AsyncIterator<Uint8Array>, end: AbortController): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = await within(SILENCE_MS, () => iterator.next(), end).catch((error: unknown) => this.away('open', error));
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      // A reader that stops early lets go of the connection.
      end.abort();
    }
  }

  private async call<T>(call: Call, organizationId: string, run: (store: FileStore) => Promise<T>): Promise<T> {
    const { store } = this;
    if (!store) throw new FileStoreAway('This file is in a file store that no extension of this installation offers.');
    const giveBack = await this.shares.take(organizationId).catch((error: unknown) => {
      throw new FileStoreAway('The file store is busy at the moment.', error);
    });
    const stop = TOOK.startTimer({ call });
    try {
      const result = await run(store);
      stop({ outcome: 'done' });
      return result;
    } catch (error) {
      stop({ outcome: 'failed' });
      return this.away(call, error);
    } finally {
      giveBack();
    }
  }

  private away(call: Call, error: unknown): never {
    this.log.warn({ call, err: error }, 'the file store failed');
    throw new FileStoreAway('The file store is not available at the moment.', error);
  }
}

/** Ends in time, also if the call does not listen to its signal. */
async function within<T>(ms: number, run: (signal: AbortSignal) => Promise<T>, end = new AbortController()): Promise<T> {
  return inTime(run(end.signal), ms, () => {
    const error = new Error(`The store was silent for ${ms / 1000} seconds.`);
    end.abort(error);
    return error;
  });
}
