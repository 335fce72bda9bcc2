import type { IncomingHttpHeaders } from 'node:http';

const SECOND_MS = 1000;
const LONGEST_PAUSE_MS = 60 * SECOND_MS;
/** With fewer requests left, the rest is for the other programs of the organization. */
const ENOUGH_LEFT = 10;

/** How long to wait after an answer: a second, nothing if more is waiting, but longer when `RateLimit` says that little is left. */
export function pauseAfter(headers: IncomingHttpHeaders, isMoreWaiting: boolean): number {
  const [, left, resetSeconds] = /;r=(\d+);t=(\d+)/.exec(String(headers['ratelimit'])) ?? [];
  if (left !== undefined && Number(left) < ENOUGH_LEFT) return within(Number(resetSeconds) * SECOND_MS);
  return isMoreWaiting ? 0 : SECOND_MS;
}

/** How long to wait before a request is repeated: as `Retry-After` says, else longer with each failure. */
export function retryPause(failures: number, headers?: IncomingHttpHeaders): number {
  const seconds = headers?.['retry-after'] ?? '';
  return within(/^\d+$/.test(seconds) ? Number(seconds) * SECOND_MS : Math.min(2 ** (failures - 1), 10) * SECOND_MS);
}

const within = (ms: number): number => Math.min(Math.max(ms, SECOND_MS), LONGEST_PAUSE_MS);
