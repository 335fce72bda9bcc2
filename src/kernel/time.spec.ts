import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Clock, isCalendarDate, requireOrderedPeriod, utcTime } from './time.js';
import { Problem } from './problems.js';

const pad = (number: number, length: number): string => String(number).padStart(length, '0');

/** The days of a month by the rule of the Gregorian calendar, without the help of Date. */
function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

describe('a calendar date', () => {
  it('accepts exactly the days of the Gregorian calendar', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          expect(isCalendarDate(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`)).toBe(
            year >= 1 && day >= 1 && day <= daysIn(year, month),
          );
        },
      ),
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

  it('accepts no other spelling of a day', () => {
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
});

describe('a time with its offset', () => {
  it.each([
    ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30:00.5Z', '2026-03-01T09:30:00.500Z'],
    ['2026-03-01T09:30:00.123456Z', '2026-03-01T09:30:00.123456Z'],
    ['2026-03-01T09:30:00.123456789Z', '2026-03-01T09:30:00.123456Z'],
    ['2026-03-01T00:30:00+02:00', '2026-02-28T22:30:00.000Z'],
    ['2024-02-29T23:59:59-11:30', '2024-03-01T11:29:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, utc) => {
    expect(utcTime(text)).toBe(utc);
  });

  it.each([
    '',
    'now',
    '2026',
    '2026-03-01',
    '2026-03-01T09:30Z',
    '2026-03-01T09:30:00',
    '2026-03-01 09:30:00Z',
    '2026-03-01T09:30:00 02:00',
    '2026-03-01t09:30:00z',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-03-01T09:60:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-03-01T00:00:00+24:00',
    '2026-03-01T09:30:00.Z',
    '2026-03-01T09:30:00.1234567890Z',
    '+002026-03-01T00:00:00Z',
    '2026-03-01T09:30:00+0200',
    '2026-03-01T09:30:00Z ',
    'infinity',
    'epoch',
  ])('%j is not such a time', (text) => {
    expect(utcTime(text)).toBeUndefined();
  });

  it('accepts every time that Date writes as ISO 8601', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
        (date) => {
          expect(utcTime(date.toISOString())).toBe(date.toISOString());
        },
      ),
    );
  });
});

describe('a period', () => {
  it('accepts a period of a single day', () => {
    expect(() => requireOrderedPeriod({ periodStart: '2026-01-01', periodEnd: '2026-01-01' })).not.toThrow();
    expect(() => requireOrderedPeriod({ periodStart: '0999-12-31', periodEnd: '1000-01-01' })).not.toThrow();
  });

  it('refuses a period that ends before it starts, and names its end', () => {
    try {
      requireOrderedPeriod({ periodStart: '2026-01-02', periodEnd: '2026-01-01' });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Problem);
      expect(error).toMatchObject({ code: 'validation_failed', errors: [{ location: 'body', field: 'periodEnd', code: 'before_start' }] });
    }
  });
});

it('the time of a change is after the version before, even if another process has a clock that is ahead', () => {
  const clock = new Clock();
  expect(clock.after('2999-12-31T23:59:59.999Z')).toBe('3000-01-01T00:00:00.000Z');
  expect(clock.after('2000-01-01T00:00:00.000Z') >= clock.timestamp().slice(0, 10)).toBe(true);
});
