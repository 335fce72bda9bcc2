import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { billingPeriod } from './billing-period.js';

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const day = fc.integer({ min: Date.UTC(1999, 0, 1) / DAY_MS, max: Date.UTC(2105, 11, 31) / DAY_MS }).map((days) => dayOf(days * DAY_MS));
const daysFrom = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / DAY_MS;

describe('a billing period', () => {
  it.each([
    ['an anchor in the middle of the month', '2025-01-15', '2026-03-20', '2026-03-15', '2026-04-15'],
    ['the day before the anchor', '2025-01-15', '2026-03-14', '2026-02-15', '2026-03-15'],
    ['the anchor itself', '2025-01-15', '2026-03-15', '2026-03-15', '2026-04-15'],
    ['the first of the month', '2025-01-01', '2026-01-31', '2026-01-01', '2026-02-01'],
    ['the turn of the year', '2025-01-20', '2026-01-05', '2025-12-20', '2026-01-20'],
    ['the 31st in a month of 30 days', '2026-01-31', '2026-04-30', '2026-04-30', '2026-05-31'],
    ['the day before the last of a month of 30 days', '2026-01-31', '2026-04-29', '2026-03-31', '2026-04-30'],
    ['the 31st in February', '2026-01-31', '2026-02-28', '2026-02-28', '2026-03-31'],
    ['the 31st in February of a leap year', '2028-01-31', '2028-02-28', '2028-01-31', '2028-02-29'],
    ['the 30th on the leap day', '2028-01-30', '2028-02-29', '2028-02-29', '2028-03-30'],
    ['the 29th in February of a common year', '2024-02-29', '2026-02-28', '2026-02-28', '2026-03-29'],
    ['the 29th in a century without a leap day', '2096-02-29', '2100-03-01', '2100-02-28', '2100-03-29'],
  ])('is right for %s', (_name, anchor, today, start, end) => {
    expect(billingPeriod(anchor, today)).toEqual({ start, end });
  });

  it('contains its day', () => {
    fc.assert(
      fc.property(day, day, (anchor, today) => {
        const { start, end } = billingPeriod(anchor, today);
        expect(start <= today && today < end, `${start} to ${end}`).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('ends where the next one starts, and is the same for all its days', () => {
    fc.assert(
      fc.property(day, day, (anchor, today) => {
        const period = billingPeriod(anchor, today);
        const lastDay = dayOf(Date.parse(period.end) - DAY_MS);
        expect(billingPeriod(anchor, period.start)).toEqual(period);
        expect(billingPeriod(anchor, lastDay)).toEqual(period);
        expect(billingPeriod(anchor, period.end).start).toBe(period.end);
        expect(billingPeriod(anchor, dayOf(Date.parse(period.start) - DAY_MS)).end).toBe(period.start);
      }),
      { numRuns: 2000 },
    );
  });

  it('starts on the day of the anchor, or on the last day of a shorter month, and has 28 to 31 days', () => {
    fc.assert(
      fc.property(day, day, (anchor, today) => {
        const { start, end } = billingPeriod(anchor, today);
        const isLastOfMonth = dayOf(Date.parse(start) + DAY_MS).endsWith('-01');
        expect(start.slice(8) === anchor.slice(8) || (start.slice(8) < anchor.slice(8) && isLastOfMonth)).toBe(true);
        expect(daysFrom(start, end)).toBeGreaterThanOrEqual(28);
        expect(daysFrom(start, end)).toBeLessThanOrEqual(31);
      }),
      { numRuns: 2000 },
    );
  });
});
