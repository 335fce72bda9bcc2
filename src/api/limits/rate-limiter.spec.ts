import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newId } from '../../kernel/ids.js';
import { NO_LIMITS } from './own-limits.js';
import { shareIn, type Allowance, LocalRateLimiter, type RateLimiter } from './rate-limiter.js';
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

  it('gives one caller alone the whole burst, and then refuses by the whole limit', async () => {
    for (const burst of [1, 4, 5]) {
      const [key, tier] = [newId(), { perMinute: 2, burst }];
      const taken = [];
      for (let index = 0; index <= burst; index += 1) taken.push(await limiter.take(key, tier, 1, shareIn(tier, `${key}:a`)));
      expect(taken.map(({ remaining }) => remaining)).toEqual([...Array.from({ length: burst }, (_, index) => burst - 1 - index), 0]);
      expect(taken.map(({ allowed }) => allowed)).toEqual([...Array.from({ length: burst }, () => true), false]);
      expect(taken.at(-1)!.of).toBeUndefined();
    }
  });

  it('gives a caller that never stops half of what comes back, says so, and leaves the other half to the others', async () => {
    const [key, tier] = [newId(), { perMinute: 1200, burst: 10 }];
    const [greedy, other] = ['a', 'b'].map((name) => shareIn(tier, `${key}:${name}`));
    const startedAt = performance.now();
    let [allowed, refused] = [0, undefined as Allowance | undefined];
    // As long as it takes until half of the bucket is full again, and as long again.
    while (performance.now() < startedAt + 1000) {
      const taken = await limiter.take(key, tier, 1, greedy);
      if (taken.allowed) allowed += 1;
      else if (taken.of) refused = taken;
      await delay(2);
    }
    const took = performance.now() - startedAt;
    expect(allowed).toBeLessThanOrEqual(10 + (took / 60_000) * tier.perMinute);
    expect(refused).toMatchObject({ allowed: false, remaining: 0, of: 'share' });
    expect(refused!.retryAfterSeconds).toBeGreaterThan(0);
    for (let index = 0; index < 4; index += 1) expect((await limiter.take(key, tier, 1, other)).allowed).toBe(true);
  });

  it.each([
    [1, 100, 1],
    [7, 200, 14],
    [20, 40, 8],
    [50, 5, 3],
    [100, 40, 40],
  ])('never gives more than a set share of %i percent of %i at once, also when it calls alone: %i', async (rateShare, burst, most) => {
    const [key, tier] = [newId(), { perMinute: 1, burst }];
    const share = shareIn(tier, `${key}:a`, { ...NO_LIMITS, rateShare });
    const taken = [];
    for (let index = 0; index <= most; index += 1) taken.push(await limiter.take(key, tier, 1, share));
    expect(taken.map(({ allowed }) => allowed)).toEqual([...Array.from({ length: most }, () => true), false]);
    expect(taken.map(({ remaining }) => remaining)).toEqual([...Array.from({ length: most }, (_, index) => most - 1 - index), 0]);
    expect(taken.at(-1)!.of).toBe(rateShare === 100 ? undefined : 'share');
    expect(await limiter.take(key, tier, 0), 'the others have the rest').toMatchObject({ remaining: burst - most });
  });

  it('refuses a caller with a set share by the whole limit if others have used that up', async () => {
    const [key, tier] = [newId(), { perMinute: 1, burst: 5 }];
    await limiter.take(key, tier, 5);
    const refused = await limiter.take(key, tier, 1, shareIn(tier, `${key}:a`, { ...NO_LIMITS, rateShare: 90 }));
    expect([refused.allowed, refused.of]).toEqual([false, undefined]);
  });

  it('allows exactly the calls of a day, of many at once, and says how long it is until midnight UTC', async () => {
    const [key, tier] = [newId(), { perMinute: 6000, burst: 100 }];
    const share = shareIn(tier, `${key}:a`, { ...NO_LIMITS, dailyCalls: 12 });
    const take = async (cost = 1) => limiter.take(key, tier, cost, share);
    expect(await take(0), 'reading counts nothing').toMatchObject({ remaining: 12, of: 'day' });
    expect(await take(13)).toMatchObject({ allowed: false, of: 'day' });
    const [first, ...taken] = [await take(2), ...(await Promise.all(Array.from({ length: 20 }, () => take())))];
    const leftSeconds = (86_400_000 - (Date.now() % 86_400_000)) / 1000;
    expect(first).toMatchObject({ allowed: true, remaining: 10, of: 'day' });
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10);
    const refused = taken.at(-1)!;
    expect(refused).toMatchObject({ allowed: false, remaining: 0, of: 'day' });
    expect(Math.abs(refused.retryAfterSeconds - leftSeconds)).toBeLessThan(60);
    expect(refused.resetSeconds).toBe(refused.retryAfterSeconds);
    expect((await limiter.take(key, tier, 1, shareIn(tier, `${key}:b`))).allowed, 'another caller').toBe(true);
    expect((await take(0)).remaining, 'what was refused took nothing').toBe(0);
  });

  it('speaks of the day only when it leaves less than the rate does, and counts no call that the rate refuses', async () => {
    const [key, tier] = [newId(), { perMinute: 1, burst: 3 }];
    const share = shareIn(tier, `${key}:a`, { ...NO_LIMITS, dailyCalls: 100 });
    const taken = [];
    for (let index = 0; index < 10; index += 1) taken.push(await limiter.take(key, tier, 1, share));
    expect(taken.map(({ of }) => of)).toEqual(Array.from({ length: 10 }, () => undefined));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(3);
    const roomy = { perMinute: 1, burst: 1000 };
    expect(await limiter.take(newId(), roomy, 0, shareIn(roomy, share.key, share.limits))).toMatchObject({ remaining: 97, of: 'day' });
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

  it('shares the calls of a day between replicas, and lets Redis forget them at midnight UTC', async () => {
    const [one, other, redis] = [await onRedis(), await onRedis(), await connect()];
    const [key, tier] = [newId(), { perMinute: 6000, burst: 100 }];
    const share = shareIn(tier, `${key}:a`, { ...NO_LIMITS, rateShare: 100, dailyCalls: 25 });
    const calls = Array.from({ length: 60 }, async (_, index) => (index % 2 === 0 ? one : other).take(key, tier, 1, share));
    expect((await Promise.all(calls)).filter(({ allowed }) => allowed)).toHaveLength(25);
    const [at, leftMs] = [Date.now(), await redis.pttl(`claims:limit:${key}:a:day`)];
    expect(Math.abs(leftMs - (86_400_000 - (at % 86_400_000)))).toBeLessThan(60_000);
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

it('counts the calls of a day anew from midnight UTC', () => {
  let at = Date.parse('2026-03-01T23:59:59.500Z');
  const limiter = new LocalRateLimiter(
    () => 0,
    () => at,
  );
  const tier = { perMinute: 60, burst: 100 };
  const take = () => limiter.take('whole', tier, 1, shareIn(tier, 'own', { ...NO_LIMITS, dailyCalls: 2 }));
  expect([take().allowed, take().allowed]).toEqual([true, true]);
  expect(take()).toMatchObject({ allowed: false, retryAfterSeconds: 1, of: 'day' });
  at += 500;
  expect(take()).toMatchObject({ allowed: true, remaining: 1, of: 'day' });
});

describe('a replica whose Redis is down', () => {
  it('allows its part of the calls of a day, at least one', async () => {
    const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false });
    const replicas = new ReplicaCount(redis, { isServing: true });
    await replicas.stop();
    replicas.known = 4;
    const [limiter, tier] = [new RedisRateLimiter(redis, replicas), { perMinute: 6000, burst: 1000 }];
    for (const [dailyCalls, most] of [
      [40, 10],
      [3, 1],
    ] as const) {
      const share = shareIn(tier, newId(), { ...NO_LIMITS, dailyCalls });
      const taken = [];
      for (let index = 0; index < 12; index += 1) taken.push(await limiter.take('key', tier, 1, share));
      expect(taken.filter(({ allowed }) => allowed)).toHaveLength(most);
    }
  });

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
