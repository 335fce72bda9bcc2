import { createHash } from 'node:crypto';
import { canonicalJson } from './json.js';

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** Facts about a record rather than parts of it: they change with every change, or never. */
const NOT_CONTENT = new Set(['id', 'environment', 'createdAt', 'updatedAt']);

/** The fields that differ between a record before and after, as REST names them; before is null for a new one, after for one that is gone. */
export function changesBetween(before: object | null, after: object | null): Changes {
  const changes: Changes = {};
  for (const field of Object.keys(after ?? before ?? {})) {
    if (NOT_CONTENT.has(field)) continue;
    const [from, to] = [valueIn(before, field), valueIn(after, field)];
    if (before === null || after === null || canonicalJson(from) !== canonicalJson(to)) changes[field] = { from, to };
  }
  return changes;
}

function valueIn(record: object | null, field: string): unknown {
  return (record as Record<string, unknown> | null)?.[field] ?? null;
}

/** Values of up to so many bytes of JSON stand in the log as they are. */
const SHOWN_AT_MOST = 1024;
/** Fields that are never shown, whoever records them: a log is read by many, and kept for long. */
const SECRET = /(secret|password|token|hash)$/i;

/** A value in place of which the log holds only what tells it from others. */
interface Digest {
  /** Hex SHA-256 of the value's canonical JSON (RFC 8785). */
  readonly sha256: string;
  /** The length of that JSON in UTF-8. */
  readonly bytes: number;
}

/** The changes as the log may hold them: secrets and large values are replaced by their digests. */
export function loggable(changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).map(([field, { from, to }]) => [field, { from: shown(field, from), to: shown(field, to) }]),
  );
}

function shown(field: string, value: unknown): unknown {
  const mayBeLarge = typeof value === 'object' || typeof value === 'string';
  if (value === null || !(mayBeLarge || SECRET.test(field))) return value;
  const json = canonicalJson(value);
  const bytes = Buffer.byteLength(json);
  if (bytes <= SHOWN_AT_MOST && !SECRET.test(field)) return value;
  return { sha256: createHash('sha256').update(json).digest('hex'), bytes } satisfies Digest;
}

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
