import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, leadingDayOf } from './dates.js';

describe('a day', () => {
  it('is read for every date that exists, in either of its forms, at the start of a text', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true }),
        fc.constantFrom('', 'T23:59:59+02:00', ' 10:00'),
        (date, time) => {
          const day = date.toISOString().slice(0, 10);
          expect(dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())).toBe(day);
          expect(leadingDayOf(`${day}${time}`)).toBe(day);
          expect(leadingDayOf(`${day.replaceAll('-', '')}${time}`)).toBe(day);
        },
      ),
    );
  });

  it.each([
    [2023, 2, 29],
    [2024, 13, 1],
    [2024, 0, 1],
    [2024, 4, 31],
    [24, 1, 1],
  ])('is null for a date that does not exist: %d %d %d', (year, month, day) => {
    expect(dayOf(year, month, day)).toBeNull();
  });

  it.each(['', '2024', '2024-0229', '2024-02-30', '20240230', '29.02.2024'])('is not read from %j', (text) => {
    expect(leadingDayOf(text)).toBeNull();
  });
});
