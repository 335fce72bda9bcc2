import { describe, expect, it } from 'vitest';
import { renamed, shifted, shiftOf } from './next-period.js';

const period = (start: string, end: string) => ({ start, end });
const nextOf = (start: string, end: string) => Object.values(shifted(period(start, end), shiftOf(period(start, end))));

describe('the next period', () => {
  it.each([
    ['2026-01-01', '2026-12-31', '2027-01-01', '2027-12-31'],
    ['2026-01-01', '2026-03-31', '2026-04-01', '2026-06-30'],
    ['2026-10-01', '2026-12-31', '2027-01-01', '2027-03-31'],
    ['2026-02-01', '2026-02-28', '2026-03-01', '2026-03-31'],
    ['2027-02-01', '2027-02-28', '2027-03-01', '2027-03-31'],
    ['2027-12-01', '2028-01-31', '2028-02-01', '2028-03-31'],
    ['2028-01-01', '2028-01-31', '2028-02-01', '2028-02-29'],
    ['2025-07-01', '2026-06-30', '2026-07-01', '2027-06-30'],
    ['0050-01-01', '0050-12-31', '0051-01-01', '0051-12-31'],
  ])('of whole months, %s to %s, is of whole months: %s to %s', (start, end, ...next) => {
    expect(nextOf(start, end)).toEqual(next);
  });

  it.each([
    ['2026-01-05', '2026-01-18', '2026-01-19', '2026-02-01'],
    ['2026-12-31', '2026-12-31', '2027-01-01', '2027-01-01'],
    ['2026-04-06', '2027-04-05', '2027-04-06', '2028-04-04'],
  ])('of other days, %s to %s, has as many days: %s to %s', (start, end, ...next) => {
    expect(nextOf(start, end)).toEqual(next);
  });

  it('moves a period within it by as much', () => {
    expect(shifted(period('2026-01-15', '2026-02-28'), { months: 12 })).toEqual(period('2027-01-15', '2027-02-28'));
    expect(shifted(period('2027-02-01', '2027-02-28'), { months: 12 })).toEqual(period('2028-02-01', '2028-02-29'));
    expect(shifted(period('2026-01-31', '2026-02-10'), { months: 1 })).toEqual(period('2026-02-28', '2026-03-10'));
  });
});

describe('the name for the next period', () => {
  it.each([
    ['Berlin office 2026', '2026-01-01', '2026-12-31', 'Berlin office 2027'],
    ['Q4 2026, Berlin', '2026-10-01', '2026-12-31', 'Q1 2027, Berlin'],
    ['Berlin q1', '2026-01-01', '2026-03-31', 'Berlin Q2'],
    ['H2 2026', '2026-07-01', '2026-12-31', 'H1 2027'],
    ['December 2026', '2026-12-01', '2026-12-31', 'January 2027'],
    ['Travel 2026-12', '2026-12-01', '2026-12-31', 'Travel 2027-01'],
    ['2025/2026', '2025-07-01', '2026-06-30', '2026/2027'],
    ['Trip (2026-01-05 to 2026-01-18)', '2026-01-05', '2026-01-18', 'Trip (2026-01-19 to 2026-02-01)'],
    ['Berlin', '2026-01-01', '2026-12-31', 'Berlin (2027-01-01 to 2027-12-31)'],
    ['Berlin 2026', '2026-01-01', '2026-03-31', 'Berlin 2026 (2026-04-01 to 2026-06-30)'],
    ['Room 2026 of 1999', '2025-01-01', '2025-12-31', 'Room 2026 of 1999 (2026-01-01 to 2026-12-31)'],
  ])('of %s from %s to %s is %s', (name, start, end, wanted) => {
    const from = period(start, end);
    expect(renamed(name, from, shifted(from, shiftOf(from)))).toBe(wanted);
  });

  it('is no longer than a name may be', () => {
    const from = period('2026-01-01', '2026-12-31');
    const name = renamed('x'.repeat(200), from, shifted(from, shiftOf(from)));
    expect([name.length, name.endsWith('x (2027-01-01 to 2027-12-31)')]).toEqual([200, true]);
  });
});
