import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addFractions,
  exactMoneyOf,
  formatMoney,
  formatPercent,
  isWrittenMoney,
  isWrittenPercent,
  minorDigitsOf,
  MONEY_MAX_LENGTH,
  moneyOf,
  NOTHING,
  PERCENT_MAX_LENGTH,
  readMoney,
  readPercent,
  roundFraction,
  roundMoney,
  shareOf,
  taxIn,
} from './money.js';

const amounts = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.integer({ min: 0, max: 18 }))
  .map(([negative, digits, decimals]) => {
    const text = String(digits).padStart(decimals + 1, '0');
    const [whole, rest] = [text.slice(0, text.length - decimals), decimals === 0 ? '' : text.slice(-decimals)];
    return `${negative && digits !== 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
  });
/** Without trailing zeros. */
const plain = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

describe('money', () => {
  it('formats a decimal as it was read', () => {
    fc.assert(
      fc.property(amounts, (text) => {
        expect(formatMoney(moneyOf(text), 0)).toBe(plain(text));
      }),
    );
  });

  it('is read again exactly as it was written, with all the decimals that a share has', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 42n), max: 10n ** 42n }), fc.constantFrom(0, 2, 4), (money, digits) => {
        expect(exactMoneyOf(formatMoney(money, digits))).toBe(money);
      }),
    );
    for (const text of ['', '1,5', '1.', `0.${'1'.repeat(25)}`]) expect(() => exactMoneyOf(text)).toThrow('not a decimal');
  });

  it('is as long as documents say, at most', () => {
    const longest = `-${'9'.repeat(18)}.${'9'.repeat(18)}`;
    expect([isWrittenMoney(longest), longest.length]).toEqual([true, MONEY_MAX_LENGTH]);
    expect([isWrittenMoney(`9${longest}`), isWrittenMoney(`${longest}9`)]).toEqual([false, false]);
    expect([isWrittenPercent('100.0000'), '100.0000'.length]).toEqual([true, PERCENT_MAX_LENGTH]);
    expect(isWrittenPercent('100.00000')).toBe(false);
  });

  it('adds up exactly, unlike floating point', () => {
    expect(formatMoney(moneyOf('0.1') + moneyOf('0.2'), 2)).toBe('0.30');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e12, max: 1e12 })), (cents) => {
        const texts = cents.map(
          (cent) => `${cent < 0 ? '-' : ''}${Math.floor(Math.abs(cent) / 100)}.${String(Math.abs(cent) % 100).padStart(2, '0')}`,
        );
        const sum = texts.reduce((total, text) => total + moneyOf(text), 0n);
        expect(roundMoney(sum, 2)).toBe(sum);
        expect(sum).toBe(BigInt(cents.reduce((total, cent) => total + cent, 0)) * moneyOf('0.01'));
      }),
    );
  });

  it('is formatted with at least the digits of its currency, and all of its own', () => {
    expect([
      formatMoney(moneyOf('5'), 2),
      formatMoney(moneyOf('-0.5'), 2),
      formatMoney(moneyOf('1.2345'), 2),
      formatMoney(moneyOf('7.00'), 0),
      formatMoney(0n, 3),
    ]).toEqual(['5.00', '-0.50', '1.2345', '7', '0.000']);
    expect(['EUR', 'JPY', 'KWD', 'CLF', null].map(minorDigitsOf)).toEqual([2, 0, 3, 4, 2]);
  });

  it.each(['', '-', '1.', '.5', '+1', '1e3', '1,5', '--1', ' 1', '1 ', '0x1', 'NaN', '1.1234567890123456789'])(
    'is not read from %j',
    (text) => {
      expect(readMoney(text)).toBeUndefined();
      expect(() => moneyOf(text)).toThrow('An amount is not a decimal.');
    },
  );

  it.each([
    ['0.005', '0.01'],
    ['-0.005', '-0.01'],
    ['0.0049', '0.00'],
    ['-0.0049', '0.00'],
    ['1.015', '1.02'],
    ['2.675', '2.68'],
    ['-2.675', '-2.68'],
    ['0.995', '1.00'],
  ])('%s rounds to %s (half away from zero)', (text, rounded) => {
    expect(formatMoney(roundMoney(moneyOf(text), 2), 2)).toBe(rounded);
  });

  it('rounds by at most half a unit, and a refund like the payment it refunds', () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(0, 2, 3, 4), (text, digits) => {
        const money = moneyOf(text);
        const off = roundMoney(money, digits) - money;
        expect((off < 0n ? -off : off) * 2n <= moneyOf('1') / 10n ** BigInt(digits)).toBe(true);
        expect(roundMoney(-money, digits)).toBe(-roundMoney(money, digits));
      }),
    );
  });
});

describe('the tax that an amount contains', () => {
  const taxOf = (amount: string, percent: string) => formatMoney(roundFraction(taxIn(moneyOf(amount), readPercent(percent)!), 2), 2);

  it.each([
    ['119.00', '19', '19.00'],
    ['100.00', '19', '15.97'],
    ['-100.00', '19', '-15.97'],
    ['100.00', '0', '0.00'],
    ['100.00', '100', '50.00'],
    ['0.03', '20', '0.01'],
    ['-0.03', '20', '-0.01'],
    ['12.34', '8.1', '0.92'],
  ])('of %s at %s percent is %s', (amount, percent, tax) => {
    expect(taxOf(amount, percent)).toBe(tax);
  });

  it('is off by at most half a unit from the exact tax, and that of a refund is that of its payment', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom(0, 2, 3, 4), (text, percent, digits) => {
        const money = moneyOf(text);
        const tax = roundFraction(taxIn(money, BigInt(percent)), digits);
        // Times the denominator, so that nothing is divided.
        const off = tax * (1_000_000n + BigInt(percent)) - money * BigInt(percent);
        expect((off < 0n ? -off : off) * 2n <= (moneyOf('1') / 10n ** BigInt(digits)) * (1_000_000n + BigInt(percent))).toBe(true);
        expect(roundFraction(taxIn(-money, BigInt(percent)), digits)).toBe(-tax);
      }),
    );
  });

  it('adds up exactly before it is rounded, whatever the percentages', () => {
    // Three thirds of a cent of tax, each of which would be rounded to nothing.
    const parts = ['0.0133', '0.0133', '0.0134'].map((text) => taxIn(moneyOf(text), readPercent('33.3333')!));
    expect(parts.map((part) => roundFraction(part, 2))).toEqual([0n, 0n, 0n]);
    expect(formatMoney(roundFraction(parts.reduce(addFractions, NOTHING), 2), 2)).toBe('0.01');
    const mixed = [taxIn(moneyOf('1.19'), readPercent('19')!), taxIn(moneyOf('1.07'), readPercent('7')!)];
    expect(formatMoney(roundFraction(mixed.reduce(addFractions, NOTHING), 2), 2)).toBe('0.26');
  });
});

describe('a percentage', () => {
  it('takes an exact share: the shares of 100 percent add up to the whole', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 1_000_000 }), (text, part) => {
        const money = moneyOf(text);
        expect(shareOf(money, BigInt(part)) + shareOf(money, BigInt(1_000_000 - part))).toBe(money);
      }),
    );
    expect(formatMoney(shareOf(moneyOf('10'), readPercent('33.3333')!), 2)).toBe('3.33333');
  });

  it.each([
    ['0', '0'],
    ['100', '100'],
    ['100.0000', '100'],
    ['33.3300', '33.33'],
    ['0.0001', '0.0001'],
  ])('%s is formatted as %s', (text, shown) => {
    expect(formatPercent(readPercent(text)!)).toBe(shown);
  });

  it.each(['-1', '100.0001', '101', '1000', '1.23456', '1e2', '', '50%'])('is not read from %j', (text) => {
    expect(readPercent(text)).toBeUndefined();
  });
});
