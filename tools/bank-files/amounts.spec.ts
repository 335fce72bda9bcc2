import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, negated, plainDecimalOf, sumOf } from './amounts.js';

const cents = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
const amountOf = (value: bigint): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
  return decimalOf(value < 0n, digits.slice(0, -2), digits.slice(-2))!;
};

describe('a decimal', () => {
  it.each([
    [false, '0012', '5', '12.50'],
    [true, '12', '', '-12.00'],
    [true, '', '5', '-0.50'],
    [true, '0', '00', '0.00'],
    [false, '1', '23400', '1.234'],
    [false, '0', '005', '0.005'],
  ])('has one form: negative %s, whole part %j, fraction %j is %s', (isNegative, whole, fraction, expected) => {
    expect(decimalOf(isNegative, whole, fraction)).toBe(expected);
  });

  it('has at most 18 digits, not counting unnecessary zeros', () => {
    expect(decimalOf(false, '9'.repeat(16), '99')).toBe(`${'9'.repeat(16)}.99`);
    expect(decimalOf(false, `00${'9'.repeat(16)}`, '9900')).toBe(`${'9'.repeat(16)}.99`);
    expect(decimalOf(false, '9'.repeat(17), '99')).toBeNull();
    expect(decimalOf(false, '1', '1'.repeat(18))).toBeNull();
    expect(decimalOf(false, '0'.repeat(100_000), '0'.repeat(100_000))).toBeNull();
  });

  it.each(['', '-1', '1.2.3', '1,2,3', '1e3', '٣', 'x', '.', ',5'])('is not read from %j', (text) => {
    expect(plainDecimalOf(text)).toBeNull();
  });
});

describe('arithmetic', () => {
  it('is exact', () => {
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 20 }), (values) => {
        expect(sumOf(values.map(amountOf))).toBe(amountOf(values.reduce((sum, value) => sum + value, 0n)));
      }),
    );
    expect(sumOf(['0.1', '0.2', '-0.3'])).toBe('0.00');
    expect(sumOf(['0.0000000000000001', '1.00'])).toBe('1.0000000000000001');
  });

  it('returns null for a sum with too many digits', () => {
    expect(sumOf([`${'9'.repeat(16)}.99`, '0.01'])).toBeNull();
  });

  it('negates amounts, and zero has no sign', () => {
    fc.assert(
      fc.property(cents, (value) => {
        expect(negated(amountOf(value))).toBe(amountOf(-value));
      }),
    );
  });
});
