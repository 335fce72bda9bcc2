import type { Failure } from '../../kernel/failure.js';

export type ToThread =
  | { readonly kind: 'start'; readonly file: string; readonly input: unknown; readonly secondMib: number | undefined }
  | { readonly kind: 'item'; readonly value: unknown }
  | { readonly kind: 'end_of_items' }
  | { readonly kind: 'taken' };

export type FromThread =
  /** The computation can take one more item. */
  | { readonly kind: 'want' }
  | { readonly kind: 'output'; readonly value: unknown }
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'error'; readonly error: Trace };

/** An unexpected error, without its message: the message may quote tenants' data. */
export interface Trace {
  readonly name: string;
  readonly code: unknown;
  readonly stack: string;
}

/** How many items are on their way to a computation, and how many outputs it may be ahead of its consumer. Bounds the memory. */
export const MAX_ON_THE_WAY = 2;
/** The code of the error with which a thread ends that has more in memory than it may. It is Node's for the heap. */
export const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
/** How often it is looked how much a thread has in memory. So it can have more for as long. */
export const LOOK_EVERY_MS = 100;

export interface ThreadData {
  /** They declare what extensions add, in the order in which the process loaded them. */
  readonly files: readonly string[];
  /** Where the thread has to look itself. */
  readonly memoryMib?: number;
}

/**
 * Work that computes for longer than a few milliseconds, as an async generator: it takes an input and a stream of items, yields
 * outputs and returns a result. All of these are copied between threads, so they are plain values and bytes.
 *
 * A computation is the default export of a file named `….computation.ts`. Only a thread loads that file: what it imports must be
 * plain functions, without Nest and without the database. `secondMib` is how much memory a second thread may have that it starts, where
 * there is a place for one.
 */
type Computation<Input, Item, Output, Result> = (
  input: Input,
  items: AsyncIterable<Item>,
  secondMib?: number,
) => AsyncGenerator<Output, Result, undefined>;

// Inferred from the computation: what each of them takes and gives is its own business.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyComputation = Computation<any, any, unknown, unknown>;
export type InputOf<C> = C extends Computation<infer Input, never, unknown, unknown> ? Input : never;
export type ItemOf<C> = C extends Computation<never, infer Item, unknown, unknown> ? Item : never;
export type OutputOf<C> = C extends Computation<never, never, infer Output, unknown> ? Output : never;
export type ResultOf<C> = C extends Computation<never, never, unknown, infer Result> ? Result : never;
