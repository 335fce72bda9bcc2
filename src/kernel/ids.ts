import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new id. UUIDv7: later ones sort after earlier ones, so newest first is `ORDER BY id DESC`. */
export function newId(): string {
  return v7();
}

/** An id for a given time (ISO 8601). For one time, a greater number gives a greater id. */
export function idAt(time: string, number: number): string {
  return v7({ msecs: Date.parse(time), seq: number });
}

/** The smallest UUIDv7 of a time. */
export function firstIdOf(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Any UUID in the usual form, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const BYTES = 16;
const pool = Buffer.allocUnsafe(BYTES * 256);
let used = pool.length;

/** An id that need not stay in order, such as a request's. Its random bytes are drawn for many ids at once. */
export function newShortLivedId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES;
  return v7({ random: pool.subarray(used - BYTES, used) });
}
