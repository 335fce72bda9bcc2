import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCalendarDate } from './dates.js';

const pad = (number: number, length: number): string => String(number).padStart(length, '0');

/** The days of a month by the rule of the Gregorian calendar, without asking Date. */
function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

it('knows exactly the days that there are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }), (year, month, day) => {
      expect(isCalendarDate(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`)).toBe(year >= 1 && day >= 1 && day <= daysIn(year, month));
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['2024-02-29', true],
  ['2100-02-29', false],
  ['2000-02-29', true],
  ['0001-01-01', true],
  ['9999-12-31', true],
  ['0000-12-31', false],
])('%s: %s', (text, exists) => {
  expect(isCalendarDate(text)).toBe(exists);
});

it('takes a day in no other spelling', () => {
  for (const text of [
    '',
    '2026-1-01',
    '2026-01-1',
    '26-01-01',
    '02026-01-01',
    '+002026-01-01',
    '2026/01/01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '２０２６-01-01',
    '2026-01',
    '20260101',
  ])
    expect(isCalendarDate(text), text).toBe(false);
});
