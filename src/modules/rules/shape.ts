import type { Place } from './reading.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The one declaration of what a value may be: how it is documented, checked and read. */
export interface Shape<T> {
  /** As JSON Schema. May accept more than `read`, never less. */
  readonly schema: JsonSchema;
  /** The named schemas that `schema` refers to. */
  readonly components?: Readonly<Record<string, JsonSchema>>;
  /** The value in the form that the engine uses; undefined if something is wrong with it, which the place has then noted. */
  readonly read: (value: unknown, at: Place) => T | undefined;
}

/** What a shape reads. */
export type ReadBy<S> = S extends Shape<infer T> ? T : never;
