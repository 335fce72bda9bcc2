import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BriefCache } from './brief-cache.js';

let now: number;
beforeEach(() => {
  now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A read that counts its calls: the first gives 1, the second 2. */
const counter = () => {
  let calls = 0;
  return vi.fn(() => Promise.resolve((calls += 1)));
};

describe('BriefCache', () => {
  it('reads once for a burst of callers with the same key', async () => {
    const [cache, read] = [new BriefCache<number>(), counter()];
    expect(await Promise.all([cache.get('a', read), cache.get('a', read), cache.get('a', read)])).toEqual([1, 1, 1]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('reads separately for each key', async () => {
    const [cache, read] = [new BriefCache<number>(), counter()];
    expect(await Promise.all([cache.get('a', read), cache.get('b', read)])).toEqual([1, 2]);
  });

  it('keeps a value for 500 ms, however often it is used, and then reads again', async () => {
    const [cache, read] = [new BriefCache<number>(), counter()];
    await cache.get('a', read);
    now += 499;
    expect(await cache.get('a', read)).toBe(1);
    now += 2;
    expect(await cache.get('a', read)).toBe(2);
  });

  it('knows a value once it was read, and for 500 ms', async () => {
    const [cache, read] = [new BriefCache<number>(), counter()];
    const reading = cache.get('a', read);
    expect(cache.known('a')).toBeUndefined();
    await reading;
    now += 499;
    expect(cache.known('a')).toBe(1);
    now += 2;
    expect(cache.known('a')).toBeUndefined();
  });

  it('remembers that nothing was found', async () => {
    const [cache, read] = [new BriefCache<undefined>(), vi.fn(() => Promise.resolve(undefined))];
    await cache.get('a', read);
    await cache.get('a', read);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('does not keep a read that failed', async () => {
    const cache = new BriefCache<string>();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get('a', () => Promise.resolve('back'))).toBe('back');
  });

  it('keeps a newer read when an older one fails late', async () => {
    const [cache, read] = [new BriefCache<number>(), counter()];
    let fail: (error: Error) => void = () => undefined;
    const late = cache.get('a', () => new Promise((_resolve, reject) => (fail = reject)));
    now += 501;
    await cache.get('a', read);
    fail(new Error('late'));
    await expect(late).rejects.toThrow('late');
    expect(await cache.get('a', read)).toBe(1);
  });

  it('forgets the least recently used key beyond 10,000', async () => {
    const [cache, read] = [new BriefCache<number>(), counter()];
    for (let key = 0; key <= 10_000; key += 1) await cache.get(String(key), read);
    expect(await cache.get('10000', read)).toBe(10_001);
    expect(await cache.get('0', read)).toBe(10_002);
  });
});
