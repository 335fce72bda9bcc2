import { TimeoutError } from './errors.js';
import type { CallOptions } from './options.js';
import { sleep } from './waiting.js';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const GROWTH = 1.5;
const WAIT_TIMEOUT_MS = 15 * 60_000;

export interface Waiting<Row> {
  /** Milliseconds to wait for the end; 15 minutes by default. */
  waitTimeout?: number | undefined;
  /** Called with the record each time it was read before its end. */
  onProgress?: ((row: Row) => void) | undefined;
}

/** Reads a record until it has ended, less and less often. */
export async function ended<Row>(
  read: (options: CallOptions) => Promise<Row>,
  { hasEnded, late }: { readonly hasEnded: (row: Row) => boolean; readonly late: (row: Row) => string },
  { waitTimeout = WAIT_TIMEOUT_MS, onProgress, ...options }: CallOptions & Waiting<Row>,
): Promise<Row> {
  const end = Date.now() + waitTimeout;
  for (let ms = FIRST_WAIT_MS; ; ms = Math.min(LONGEST_WAIT_MS, ms * GROWTH)) {
    const row = await read(options);
    if (hasEnded(row)) return row;
    onProgress?.(row);
    // A tenth more or less, so that what was made together is not asked for together.
    const wait = ms * (0.9 + Math.random() / 5);
    if (Date.now() + wait > end) throw new TimeoutError(late(row));
    await sleep(wait, options.signal);
  }
}
