import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Settings } from '../../../kernel/settings/settings.js';
import { nextDelayMs, retryAfterMs } from './retry-schedule.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const schedule = Settings.from({}).webhookRetrySchedule;
const noJitter = () => 0.5;

describe('the delay before the next attempt', () => {
  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then there is no further attempt', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100].map((attempt) => nextDelayMs(schedule, { attempt }, noJitter));
    expect(delays).toEqual([
      5 * SECOND,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      10 * HOUR,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('varies evenly by up to a fifth', () => {
    const nearlyOne = 1 - Number.EPSILON;
    expect([0, 0.25, 0.5, 0.75, nearlyOne].map((random) => nextDelayMs([0, 1000], { attempt: 1 }, () => random))).toEqual([
      800, 900, 1000, 1100, 1200,
    ]);
  });

  it('stays within these bounds for any Retry-After', () => {
    const delays = fc.array(fc.integer({ min: 0, max: 10 * HOUR }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(
        delays,
        fc.integer({ min: 1, max: 12 }),
        fc.option(fc.nat(), { nil: undefined }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (steps, attempt, asked, random) => {
          const delay = nextDelayMs(steps, { attempt, retryAfterMs: asked }, () => random);
          const planned = steps[attempt];
          if (planned === undefined) return void expect(delay).toBeUndefined();
          const longest = Math.max(planned, steps[attempt + 1] ?? planned);
          expect(delay).toBeGreaterThanOrEqual(Math.floor(planned * 0.8));
          expect(delay).toBeLessThanOrEqual(Math.ceil(Math.max(planned * 1.2, longest)));
          expect(Number.isInteger(delay)).toBe(true);
          if (asked !== undefined) expect(delay).toBeGreaterThanOrEqual(Math.min(asked, longest));
        },
      ),
    );
  });

  it('is the Retry-After of the receiver, up to the next step', () => {
    const asked = (retryAfterMs: number, attempt = 1) => nextDelayMs(schedule, { attempt, retryAfterMs }, noJitter);
    expect(asked(MINUTE)).toBe(MINUTE);
    expect(asked(HOUR)).toBe(5 * MINUTE);
    expect(asked(SECOND)).toBe(5 * SECOND);
    // The last step is the limit for itself.
    expect(asked(24 * HOUR, 7)).toBe(10 * HOUR);
    expect(asked(MINUTE, 8)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-21T12:00:00.000Z');

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['Sat, 21 Nov 2026 12:02:00 GMT', 120_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['12345678901', undefined],
    ['5 seconds', undefined],
  ])('%j means %j ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });

  it('is never negative, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.integer().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (header) => {
          const ms = retryAfterMs(header, now);
          if (ms !== undefined) expect(ms).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
