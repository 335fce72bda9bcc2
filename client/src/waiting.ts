const FIRST_MS = 250;
const LONGEST_MS = 8000;

/** Full jitter: anything up to a bound that doubles with each failure, so that clients that failed together do not return together. */
export function backoffMs(failures: number): number {
  return Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
}

/** Rejects with the reason of the signal if that is aborted first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Rejects with the reason of the signal if that is aborted first. The work itself goes on: others may wait for it, too. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
