import type { Failure } from '../../kernel/failure.js';

/** What a process sends to one of its threads. */
export type ToThread =
  | { readonly kind: 'start'; readonly file: string; readonly input: unknown }
  | { readonly kind: 'item'; readonly value: unknown }
  | { readonly kind: 'end_of_items' }
  /** The consumer has taken an output. */
  | { readonly kind: 'taken' };

/** What a thread sends to its process. */
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
