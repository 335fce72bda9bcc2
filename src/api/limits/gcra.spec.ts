import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gcra, shareIn, LocalRateLimiter, type Allowance } from './rate-limiter.js';
import type { Tier } from '../../kernel/plans.js';

const tiers = fc.record({ perMinute: fc.integer({ min: 1, max: 100_000 }), burst: fc.integer({ min: 1, max: 60 }) });
/** Calls come at once, a little apart, or after a pause. */
const gapsMs = fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.double({ min: 0, max: 50, noNaN: true }), fc.nat(60_000)), {
  minLength: 1,
  maxLength: 150,
});

/** Twice the tolerance of the arithmetic. */
const TOLERANCE_MS = 0.002;

interface Call extends Allowance {
  readonly atMs: number;
}

function callsOf(tier: Tier, gaps: readonly number[]): Call[] {
  let [atMs, fullAtMs] = [1_000_000, 0];
  return gaps.map((gap) => {
    atMs += gap;
    const { fullAtMs: next, allowance } = gcra(fullAtMs, atMs, tier, 1);
    fullAtMs = next;
    return { ...allowance, atMs };
  });
}

describe('any sequence of calls', () => {
  it('lets no more calls through in any window than the burst and the refill of that window', () => {
    fc.assert(
      fc.property(tiers, gapsMs, (tier, gaps) => {
        const accepted = callsOf(tier, gaps).filter(({ allowed }) => allowed);
        accepted.forEach((first, from) =>
          accepted.slice(from).forEach((last, index) => {
            const refilled = Math.floor(((last.atMs - first.atMs + TOLERANCE_MS) * tier.perMinute) / 60_000);
            expect(index + 1).toBeLessThanOrEqual(tier.burst + refilled);
          }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is told a remainder from 0 to the burst, and exactly as many calls get through', () => {
    fc.assert(
      fc.property(tiers, gapsMs, (tier, gaps) => {
        const last = callsOf(tier, gaps).at(-1)!;
        expect(Number.isInteger(last.remaining) && last.remaining >= 0 && last.remaining <= tier.burst).toBe(true);
        const atOnce = callsOf(tier, [...gaps, ...Array.from({ length: tier.burst + 1 }, () => 0)]).slice(gaps.length);
        expect(atOnce.filter(({ allowed }) => allowed)).toHaveLength(last.remaining);
      }),
      { numRuns: 500 },
    );
  });

  it('gets through after `retryAfterSeconds`, and with the whole burst after `resetSeconds`', () => {
    fc.assert(
      fc.property(tiers, gapsMs, (tier, gaps) => {
        const last = callsOf(tier, gaps).at(-1)!;
        const afterMs = (seconds: number, calls: number) =>
          callsOf(tier, [...gaps, seconds * 1000, ...Array.from({ length: calls - 1 }, () => 0)]).slice(gaps.length);
        expect(last.retryAfterSeconds > 0).toBe(!last.allowed);
        if (!last.allowed) expect(afterMs(last.retryAfterSeconds, 1)[0]!.allowed).toBe(true);
        // The wait is in whole seconds, and not a second too long.
        if (last.retryAfterSeconds > 1) expect(afterMs(last.retryAfterSeconds - 1, 1)[0]!.allowed).toBe(false);
        expect(afterMs(last.resetSeconds, tier.burst).every(({ allowed }) => allowed)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is not told a second too many within the tolerance of the arithmetic', () => {
    const refused = callsOf({ perMinute: 20, burst: 1 }, [0, 999.9995]).at(-1)!;
    expect(refused).toMatchObject({ allowed: false, retryAfterSeconds: 2 });
  });

  it('is never refused within the steady rate', () => {
    fc.assert(
      fc.property(tiers, fc.integer({ min: 1, max: 150 }), (tier, count) => {
        const calls = callsOf(
          tier,
          Array.from({ length: count }, () => 60_000 / tier.perMinute),
        );
        expect(calls.every(({ allowed }) => allowed)).toBe(true);
      }),
    );
  });

  it('is not refused for ever when the clock is set back', () => {
    const { fullAtMs } = gcra(0, 2_000_000, { perMinute: 60, burst: 5 }, 1);
    expect(gcra(fullAtMs, 1_999_000, { perMinute: 60, burst: 5 }, 1).allowance.allowed).toBe(true);
  });
});

it('keeps the buckets in use, however many keys there are', () => {
  let now = 0;
  const limiter = new LocalRateLimiter(() => now);
  const tier = { perMinute: 60, burst: 1 };
  // Each bucket is full again after a second. None of the many early ones is the one in use.
  for (let index = 0; index < 30_000; index += 1) {
    limiter.take(`once:${index}`, tier);
    now += 0.1;
  }
  limiter.take('in use', tier);
  for (let index = 0; index < 9000; index += 1) limiter.take(`later:${index}`, tier);
  expect(limiter.take('in use', tier).allowed).toBe(false);
  now += 1000;
  expect(limiter.take('in use', tier).allowed).toBe(true);
});

it('once the burst of a caller is over, the others get the rate of its half without a refusal, and together no more than the whole', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 60, max: 6000 }),
      fc.integer({ min: 20, max: 400 }),
      fc.integer({ min: 1, max: 40 }),
      (perMinute, burst, everyMs) => {
        let now = 0;
        const [limiter, tier] = [new LocalRateLimiter(() => now), { perMinute, burst }];
        const [greedy, other] = ['greedy', 'other'].map((name) => shareIn(tier, name));
        // By now the half of the bucket that is for others is full again.
        const settledMs = (60_000 / perMinute) * (burst + 4);
        // Nearly half of the rate.
        const gapMs = (60_000 / perMinute) * 2.1;
        let [accepted, nextMs, refusals] = [0, settledMs, 0];
        while (limiter.take('whole', tier, 1, greedy).allowed) accepted += 1;
        for (; now < settledMs + 40 * gapMs; now += everyMs) {
          if (limiter.take('whole', tier, 1, greedy).allowed) accepted += 1;
          if (now < nextMs) continue;
          nextMs += Math.max(gapMs, everyMs);
          if (limiter.take('whole', tier, 1, other).allowed) accepted += 1;
          else refusals += 1;
        }
        expect(refusals).toBe(0);
        expect(accepted).toBeLessThanOrEqual(burst + (now * perMinute) / 60_000 + 1);
      },
    ),
    { numRuns: 100 },
  );
});
