import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newId } from '../../kernel/ids.js';
import { LocalRateLimiter, type RateLimiter } from './rate-limiter.js';
import { RedisRateLimiter, ReplicaCount } from './redis-rate-limiter.js';

const redisUrl = inject('redisUrl');
const connections: Redis[] = [];
const connect = async (): Promise<Redis> => {
  const redis = new Redis(redisUrl!, { lazyConnect: true, enableOfflineQueue: false });
  connections.push(redis);
  await redis.connect();
  return redis;
};
afterAll(() => connections.forEach((redis) => redis.disconnect()));

async function onRedis(): Promise<RateLimiter> {
  const redis = await connect();
  const replicas = new ReplicaCount(redis, { isServing: true });
  await replicas.stop();
  return new RedisRateLimiter(redis, replicas);
}

const IMPLEMENTATIONS: [string, () => Promise<RateLimiter>][] = [['within a process', () => Promise.resolve(new LocalRateLimiter())]];
if (redisUrl) IMPLEMENTATIONS.push(['on Redis', onRedis]);

describe.each(IMPLEMENTATIONS)('a rate limiter %s', (_name, make) => {
  let limiter: RateLimiter;
  beforeAll(async () => {
    limiter = await make();
  });

  async function takeTimes(times: number, key: string, tier: { perMinute: number; burst: number }) {
    const taken = [];
    for (let index = 0; index < times; index += 1) taken.push(await limiter.take(key, tier));
    return taken;
  }

  // So slow that nothing is refilled during a test.
  const SLOW = { perMinute: 2, burst: 5 };

  it('allows the burst and refuses what comes after it', async () => {
    const taken = await takeTimes(7, newId(), SLOW);
    expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false, false]);
    expect(taken.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0, 0]);
  });

  it('says when the next call is allowed, and when the whole burst is', async () => {
    const taken = await takeTimes(6, newId(), SLOW);
    expect(taken.map(({ resetSeconds }) => resetSeconds)).toEqual([30, 60, 90, 120, 150, 150]);
    expect(taken.map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual([0, 0, 0, 0, 0, 30]);
  });

  it.each([1, 7, 59, 700, 1001, 7000, 99_991])('counts a burst to the last call at %i a minute', async (perMinute) => {
    const [first, ...others] = await takeTimes(3, newId(), { perMinute, burst: 3 });
    expect(first).toMatchObject({ allowed: true, remaining: 2 });
    expect(others.every(({ allowed }) => allowed)).toBe(true);
  });

  it('does not count refused calls: a caller that keeps trying does not wait longer', async () => {
    const key = newId();
    await takeTimes(5, key, SLOW);
    const last = (await takeTimes(50, key, SLOW)).at(-1)!;
    expect(last.allowed).toBe(false);
    expect(last.retryAfterSeconds).toBeLessThanOrEqual(30);
    expect(last.resetSeconds).toBeLessThanOrEqual(150);
  });

  it('only reads the bucket when the cost is 0', async () => {
    const key = newId();
    for (let times = 0; times < 10; times += 1)
      expect(await limiter.take(key, SLOW, 0)).toMatchObject({ remaining: 5, resetSeconds: 0, retryAfterSeconds: 0 });
    await limiter.take(key, SLOW);
    for (let times = 0; times < 10; times += 1) expect(await limiter.take(key, SLOW, 0)).toMatchObject({ remaining: 4, resetSeconds: 30 });
    await takeTimes(4, key, SLOW);
    expect(await limiter.take(key, SLOW, 0)).toMatchObject({ remaining: 0, resetSeconds: 150 });
  });

  it('has a bucket for each key', async () => {
    const [one, other] = [newId(), newId()];
    await takeTimes(6, one, SLOW);
    expect(await limiter.take(other, SLOW)).toMatchObject({ allowed: true, remaining: 4 });
    expect(await limiter.take(one, SLOW)).toMatchObject({ allowed: false });
  });

  it('allows the steady rate once the burst is used up', async () => {
    const key = newId();
    // A full bucket would lose what is refilled. It takes longer to fill than any pause of a busy machine.
    const tier = { perMinute: 3_000, burst: 60 };
    const firstAt = performance.now();
    let [allowed, lastAt, taken] = [0, firstAt, await limiter.take(key, tier)];
    const firstTakenAt = performance.now();
    while (taken.allowed || lastAt < firstAt + 250) {
      if (taken.allowed) allowed += 1;
      lastAt = performance.now();
      taken = await limiter.take(key, tier);
    }
    const refilledIn = (ms: number): number => (ms * tier.perMinute) / 60_000;
    expect(allowed).toBeLessThanOrEqual(tier.burst + refilledIn(performance.now() - firstAt));
    // The bucket is empty at the end, so all that was refilled has been used.
    expect(allowed).toBeGreaterThan(tier.burst + refilledIn(lastAt - firstTakenAt) - 1);
  });

  it('applies a new limit at once, also to a bucket in use', async () => {
    const key = newId();
    await takeTimes(5, key, SLOW);
    expect(await limiter.take(key, { perMinute: 2, burst: 8 })).toMatchObject({ allowed: true, remaining: 2 });
    expect(await limiter.take(key, { perMinute: 2, burst: 1 })).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('allows exactly the burst of many concurrent calls', async () => {
    const key = newId();
    const taken = await Promise.all(Array.from({ length: 60 }, async () => limiter.take(key, { perMinute: 2, burst: 25 })));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(25);
  });
});

if (redisUrl) {
  it('shares a bucket between replicas on one Redis', async () => {
    const [one, other] = [await onRedis(), await onRedis()];
    const [key, tier] = [newId(), { perMinute: 2, burst: 10 }];
    const taken = await Promise.all(Array.from({ length: 30 }, async (_, index) => (index % 2 === 0 ? one : other).take(key, tier)));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10);
  });

  it('lets Redis expire a bucket when it is full again', async () => {
    const [limiter, redis, key] = [await onRedis(), await connect(), newId()];
    await limiter.take(key, { perMinute: 60, burst: 10 });
    await limiter.take(key, { perMinute: 60, burst: 10 });
    const leftMs = await redis.pttl(`claims:limit:${key}`);
    expect(leftMs).toBeGreaterThan(1000);
    expect(leftMs).toBeLessThanOrEqual(2002);
  });
}

describe('a replica whose Redis is down', () => {
  it.each([1, 2, 3, 7, 1000])('enforces its share of the limit among %i replicas, at least one request', async (known) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (burst) => {
        // Never connected, so every call fails.
        const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
        const replicas = new ReplicaCount(redis, { isServing: true });
        await replicas.stop();
        replicas.known = known;
        const limiter = new RedisRateLimiter(redis, replicas);
        const taken = [];
        for (let index = 0; index < 70; index += 1) taken.push(await limiter.take('key', { perMinute: 2, burst }));
        expect(taken.filter(({ allowed }) => allowed)).toHaveLength(Math.max(1, Math.floor(burst / known)));
      }),
      { numRuns: 20 },
    );
  });
});
