import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LocalRateLimiter } from './local-rate-limiter.js';
import { gcra, type Allowance } from './rate-limiter.js';
import type { Tier } from '../../kernel/plans.js';

const tiers = fc.record({ perMinute: fc.integer({ min: 1, max: 100_000 }), burst: fc.integer({ min: 1, max: 60 }) });
/** Calls come in bunches, a little apart, or after a while. */
const gapsMs = fc.array(fc.oneof(fc.constant(0), fc.nat(20), fc.double({ min: 0, max: 50, noNaN: true }), fc.nat(60_000)), {
  minLength: 1,
  maxLength: 150,
});

/** The tolerance of the arithmetic, twice. */
const A_HAIR_MS = 0.002;

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

describe('whatever calls come and when', () => {
  it('lets no more through in any window than the burst and what flows in meanwhile', () => {
    fc.assert(
      fc.property(tiers, gapsMs, (tier, gaps) => {
        const accepted = callsOf(tier, gaps).filter(({ allowed }) => allowed);
        accepted.forEach((first, from) =>
          accepted.slice(from).forEach((last, index) => {
            const flowsIn = Math.floor(((last.atMs - first.atMs + A_HAIR_MS) * tier.perMinute) / 60_000);
            expect(index + 1).toBeLessThanOrEqual(tier.burst + flowsIn);
          }),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('names a remainder between none and the burst, and lets exactly as many through', () => {
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

  it('lets a refused call through after the seconds that it names, and the whole burst after those of the reset', () => {
    fc.assert(
      fc.property(tiers, gapsMs, (tier, gaps) => {
        const last = callsOf(tier, gaps).at(-1)!;
        const afterMs = (seconds: number, calls: number) =>
          callsOf(tier, [...gaps, seconds * 1000, ...Array.from({ length: calls - 1 }, () => 0)]).slice(gaps.length);
        expect(last.retryAfterSeconds > 0).toBe(!last.allowed);
        if (!last.allowed) expect(afterMs(last.retryAfterSeconds, 1)[0]!.allowed).toBe(true);
        // A wait of whole seconds, and no second too long.
        if (last.retryAfterSeconds > 1) expect(afterMs(last.retryAfterSeconds - 1, 1)[0]!.allowed).toBe(false);
        expect(afterMs(last.resetSeconds, tier.burst).every(({ allowed }) => allowed)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('names no second too many to who comes within the tolerance of the arithmetic', () => {
    const refused = callsOf({ perMinute: 20, burst: 1 }, [0, 999.9995]).at(-1)!;
    expect(refused).toMatchObject({ allowed: false, retryAfterSeconds: 2 });
  });

  it('never keeps out who stays within the steady rate', () => {
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

  it('keeps no one out for ever when the clock is set back', () => {
    const { fullAtMs } = gcra(0, 2_000_000, { perMinute: 60, burst: 5 }, 1);
    expect(gcra(fullAtMs, 1_999_000, { perMinute: 60, burst: 5 }, 1).allowance.allowed).toBe(true);
  });
});

it('remembers what is in use, however many keys there are', () => {
  let now = 0;
  const limiter = new LocalRateLimiter(() => now);
  const tier = { perMinute: 60, burst: 1 };
  // Each key is full again after a second, and the first after a while is none of the many that came before it.
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
