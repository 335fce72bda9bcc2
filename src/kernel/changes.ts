import { createHash } from 'node:crypto';
import { canonicalJson } from './json.js';

type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The fields that a request has sent. A field it left out must not overwrite the stored value. */
export function given<T extends object>(input: T): Given<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** The properties of a row that a change has changed. */
export function changedProperties<Row extends object>(before: Row, after: Row): (keyof Row & string)[] {
  const properties = Object.keys(after) as (keyof Row & string)[];
  return properties.filter((property) => canonicalJson(before[property]) !== canonicalJson(after[property]));
}

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** Fields that never change, or change with every write: they say nothing about a change. */
const NOT_CONTENT = new Set(['id', 'environment', 'createdAt', 'updatedAt']);

/** What changed in a record, field by field, as the audit log shows it. `before` is null for a new record, `after` for a deleted one. */
export function changesBetween(before: object | null, after: object | null): Changes {
  const changes: Changes = {};
  for (const field of Object.keys(after ?? before ?? {})) {
    if (NOT_CONTENT.has(field)) continue;
    const [from, to] = [valueIn(before, field), valueIn(after, field)];
    if (before === null || after === null || canonicalJson(from) !== canonicalJson(to)) changes[field] = { from, to };
  }
  return changes;
}

const valueIn = (record: object | null, field: string): unknown => (record as Record<string, unknown> | null)?.[field] ?? null;

/** The audit log holds larger values as digests. */
const MAX_LOGGED_BYTES = 1024;
/** Never in clear text: many people read the log, and for long. The hash of what a claim was made from is none: the log proves it. */
const SECRET = /(secret|password|token|(?<!inputs)hash)$/i;

/** Stands in the audit log for a value that the log must not hold. */
interface Digest {
  /** Hex SHA-256 of the value's canonical JSON (RFC 8785). */
  readonly sha256: string;
  /** The length of that JSON in bytes of UTF-8. */
  readonly bytes: number;
}

/** The changes as the audit log may hold them: digests replace secrets and large values. */
export function loggable(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: loggableValue(field, from), to: loggableValue(field, to) }]),
  );
}

function loggableValue(field: string, value: unknown): unknown {
  const isSecret = SECRET.test(field);
  const mayBeLarge = typeof value === 'object' || typeof value === 'string';
  if (value === null || !(mayBeLarge || isSecret)) return value;
  // As long as the canonical JSON, and made in a fraction of the time.
  if (!isSecret && Buffer.byteLength(JSON.stringify(value)) <= MAX_LOGGED_BYTES) return value;
  const json = canonicalJson(value);
  const bytes = Buffer.byteLength(json);
  return { sha256: createHash('sha256').update(json).digest('hex'), bytes } satisfies Digest;
}

export function pick<T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}
