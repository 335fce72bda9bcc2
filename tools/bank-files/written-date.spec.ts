import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DateOrder, writtenDate } from './written-values.js';

describe('a written date', () => {
  it.each([
    ['2024-02-29', '2024-02-29'],
    ['2024/2/9', '2024-02-09'],
    ['2024.02.29', '2024-02-29'],
    ['20240229', '2024-02-29'],
    ['20240229120000', '2024-02-29'],
    ['2024-02-29T23:30:00Z', '2024-02-29'],
    ['2024-02-29 12:34:56 +0000', '2024-02-29'],
    ['01.02.2024', '2024-02-01'],
    ['1.2.24', '2024-02-01'],
    ['01.02.2024 10:00', '2024-02-01'],
    ['12-Dec-2023', '2023-12-12'],
    ['1 March 24', '2024-03-01'],
    ['3. März 2024', '2024-03-03'],
    ['5 févr. 2024', '2024-02-05'],
    ['7 mei 2024', '2024-05-07'],
    ['02-ene-2024', '2024-01-02'],
    ['4 gen 2024', '2024-01-04'],
    ['Dec 31, 2023', '2023-12-31'],
    ['March 3 2024', '2024-03-03'],
  ])('is read from %j as %s', (cell, day) => {
    expect(writtenDate(cell)).toMatchObject({ day });
  });

  it.each([
    '',
    'Pending',
    '2024',
    '2024-13-01',
    '2023-02-29',
    '31.04.2024',
    '13/13/2024',
    '00/01/2024',
    '1/2/3',
    '12-Foo-2024',
    '12.50',
    '20241301',
    '1'.repeat(61),
    '2024-02-29x',
  ])('is not read from %j', (cell) => {
    expect(writtenDate(cell)).toBeNull();
  });

  it('with slashes or hyphens has two numbers, either of which may be the day', () => {
    for (const cell of ['01/02/2024', '01-02-2024', '1/2/24', '01/02/2024 10:15'])
      expect(writtenDate(cell)).toEqual({ first: 1, second: 2, year: 2024 });
  });
});

describe('the order of day and month', () => {
  const read = (...cells: string[]): (string | null)[] => {
    const order = new DateOrder();
    const dates = cells.map((cell) => writtenDate(cell)!);
    for (const date of dates) order.learn(date);
    return dates.map((date) => (order.isAmbiguous(date) ? '?' : order.read(date)));
  };

  it('is decided by a number that cannot be a month, and applies to all dates', () => {
    expect(read('01/02/2024', '13/02/2024')).toEqual(['2024-02-01', '2024-02-13']);
    expect(read('01/02/2024', '02/13/2024')).toEqual(['2024-01-02', '2024-02-13']);
  });

  it('is not guessed, and not needed if both numbers are equal', () => {
    expect(read('01/02/2024', '03/03/2024', '2024-05-06')).toEqual(['?', '2024-03-03', '2024-05-06']);
  });

  it('is the same for all: a date in the other order is not read', () => {
    expect(read('13/02/2024', '02/13/2024')).toEqual(['2024-02-13', null]);
  });

  it('is never wrong: any dates in one order are each read as written or reported as ambiguous', () => {
    const days = fc
      .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(fc.array(days, { minLength: 1, maxLength: 20 }), fc.boolean(), (dates, isDayFirst) => {
        const cells = dates.map((date) => {
          const [year, month, day] = date.split('-');
          return isDayFirst ? `${day}/${month}/${year}` : `${month}/${day}/${year}`;
        });
        const results = read(...cells);
        expect(results.map((result, index) => (result === '?' ? dates[index] : result))).toEqual(dates);
        if (dates.some((date) => Number(date.slice(8)) > 12)) expect(results).toEqual(dates);
      }),
    );
  });
});
