/**
 * Work that computes for longer than a few milliseconds, as an async generator: it takes an input and a stream of items, yields
 * outputs and returns a result. All of these are copied between threads, so they are plain values and bytes.
 *
 * A computation is the default export of a file named `….computation.ts`. Only a thread loads that file: what it imports must be
 * plain functions, without Nest and without the database.
 */
export type Computation<Input, Item, Output, Result> = (
  input: Input,
  items: AsyncIterable<Item>,
) => AsyncGenerator<Output, Result, undefined>;

// Inferred from the computation: what each of them takes and gives is its own business.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyComputation = Computation<any, any, unknown, unknown>;
export type InputOf<C> = C extends Computation<infer Input, never, unknown, unknown> ? Input : never;
export type ItemOf<C> = C extends Computation<never, infer Item, unknown, unknown> ? Item : never;
export type OutputOf<C> = C extends Computation<never, never, infer Output, unknown> ? Output : never;
export type ResultOf<C> = C extends Computation<never, never, unknown, infer Result> ? Result : never;
