import { setImmediate as turn } from 'node:timers/promises';

/** What a computation takes: time until its items end, or memory in buffers of a mebibyte. */
export interface Taking {
  readonly mebibytes?: number;
  /** Without a turn of the event loop. */
  readonly isBusy?: boolean;
}

export interface Taken {
  readonly mebibytes: number;
  /** What a second thread might have had. */
  readonly secondMib: number | undefined;
}

export default async function* take(
  { mebibytes = 0, isBusy = false }: Taking,
  items: AsyncIterable<unknown>,
  secondMib?: number,
): AsyncGenerator<'begun', Taken, undefined> {
  yield 'begun';
  const kept: Uint8Array[] = [];
  for (let count = 0; count < mebibytes; count += 1) {
    kept.push(new Uint8Array(1024 * 1024).fill(1));
    if (!isBusy) await turn();
  }
  // It is busy with what it has.
  for (const since = performance.now(); isBusy && performance.now() - since < 5000;) kept[0]![0]! += 1;
  for await (const _ of items);
  return { mebibytes: kept.length, secondMib };
}
