import { canonicalJson } from './canonical-json.js';

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The fields of a request that were sent: what is absent must not overwrite what is there. */
export function given<T extends object>(input: T): Given<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** The properties that differ between a row before and after a change. */
export function changedProperties<Row extends object>(before: Row, after: Row): (keyof Row & string)[] {
  const properties = Object.keys(after) as (keyof Row & string)[];
  return properties.filter((property) => canonicalJson(before[property]) !== canonicalJson(after[property]));
}
