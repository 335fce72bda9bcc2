import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecimalMark, writtenAmount } from './written-values.js';

describe('a written amount', () => {
  it.each([
    ['12.50', null, null, null, '12.50'],
    ['-1.084,20', '-', null, null, '1.084,20'],
    ['+ £1,100.00CR', '+', 'in', 'GBP', '1,100.00'],
    ['12,50-', '-', null, null, '12,50'],
    ['(7.00)', '-', null, null, '7.00'],
    ['−3', '-', null, null, '3'],
    ['CHF 1’234.50', null, null, 'CHF', '1234.50'],
    ['1 234,50 €', null, null, 'EUR', '1234,50'],
    ['$5.00', null, null, null, '5.00'],
    ['12,00 S', null, 'out', null, '12,00'],
    ['12,00 H', null, 'in', null, '12,00'],
    ['5 Dr.', null, 'out', null, '5'],
  ])('is read from %j', (cell, sign, mark, currency, digits) => {
    expect(writtenAmount(cell)).toEqual({ sign, mark, currency, digits });
  });

  it.each(['', '-', '.', 'EUR', '1-2', '--1', '-1-', '(1', '1)', '12:30', '01/02/2024', 'abc 12', 'EUR 1 EUR', '1e5', '9'.repeat(61)])(
    'is not read from %j',
    (cell) => {
      expect(writtenAmount(cell)).toBeNull();
    },
  );
});

describe('the decimal mark', () => {
  const read = (...cells: string[]): (string | null)[] => {
    const mark = new DecimalMark();
    return cells.map((cell, index) => mark.read(cell, index + 1));
  };

  it('is determined by the digits', () => {
    expect(read('1.084,20', '1.084', '5')).toEqual(['1084.20', '1084.00', '5.00']);
    expect(read('12.5', '1,084', '1,084,000.1')).toEqual(['12.50', '1084.00', '1084000.10']);
    expect(read('1.234.567', '1.234')).toEqual(['1234567.00', '1234.00']);
    expect(read('12,34,567.50', '0.125', '1234.567')).toEqual(['1234567.50', '0.125', '1234.567']);
  });

  it('may be determined by an earlier line', () => {
    const mark = new DecimalMark();
    mark.learn('7,5');
    expect(mark.read('1.234', 1)).toBe('1234.00');
  });

  it('is never guessed', () => {
    expect(() => read('1.234')).toThrow('Line 1 has an amount with one point or comma');
    expect(() => read('5', '1,234')).toThrow('Line 2 ');
  });

  it('is the same in the whole file', () => {
    expect(() => read('1,50', '1.50')).toThrow('Line 2 has an amount with another decimal separator');
    expect(() => read('1.50', '1.234,50')).toThrow('Line 2 ');
  });

  it.each(['1,2,3.50', '1.50.20,1', ',234.50', '12345,678.90', '1234,567,890.10'])('does not make an amount of %s', (digits) => {
    expect(read(digits)).toEqual([null]);
  });

  it('is known in the notation of any country once one amount proves it', () => {
    const cents = fc.integer({ min: 0, max: 2_000_000_000 });
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1 }), fc.constantFrom('en', 'de'), fc.boolean(), (values, language, useGrouping) => {
        const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2, useGrouping });
        expect(read(...values.map((value) => format.format(value / 100)))).toEqual(values.map((value) => (value / 100).toFixed(2)));
      }),
    );
  });
});
