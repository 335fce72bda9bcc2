import { describe, expect, it } from 'vitest';
import { pauseAfter, retryPause } from './event-feed.js';

const withLimit = (left: number, resetSeconds: number) => ({ ratelimit: `"enterprise";r=${left};t=${resetSeconds}` });

describe('a client that follows a service', () => {
  it('asks once a second, and at once while more is waiting', () => {
    for (const headers of [{}, withLimit(900, 2)]) {
      expect(pauseAfter(headers, false)).toBe(1000);
      expect(pauseAfter(headers, true)).toBe(0);
    }
  });

  it('waits until the rate limit is replenished when little is left, even if more is waiting', () => {
    expect(pauseAfter(withLimit(9, 20), true)).toBe(20_000);
    expect(pauseAfter(withLimit(0, 0), true)).toBe(1000);
    expect(pauseAfter(withLimit(0, 9000), false)).toBe(60_000);
  });

  it('waits as long as Retry-After says before it repeats a request, and for a minute at most', () => {
    expect(retryPause(1, { 'retry-after': '7' })).toBe(7000);
    expect(retryPause(1, { 'retry-after': '86400' })).toBe(60_000);
  });

  it('waits longer with each failure where nothing is said', () => {
    expect([1, 2, 3, 4, 5, 100].map((failures) => retryPause(failures))).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(retryPause(1, { 'retry-after': 'soon' })).toBe(1000);
  });
});
