import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A new id. UUIDv7: later ones sort after earlier ones, so newest first is `ORDER BY id DESC`. */
export function newId(): string {
  return v7();
}

/** An id for a given time (ISO 8601). For one time, a greater number gives a greater id; without numbers their order is random. */
export function idAt(time: string, number?: number): string {
  return v7({ msecs: Date.parse(time), seq: number });
}

/** Of a time before 1970: that of 1970. */
export function firstIdOf(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The time of a UUIDv7 in milliseconds. */
export function timeOfId(id: string): number {
  return parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Any UUID in the usual form, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** An id that need not stay in order, such as a request's. It is random, and made in a third of the time. */
export function newShortLivedId(): string {
  return randomUUID();
}
