import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inWording } from '../wording/spoken.js';
import { wordingOf } from '../wording/wording.js';
import { amount, count, day, duration, instant, money, month, period, size } from './say.js';

describe('pages say', () => {
  it.each([
    ['-1290.5', 'EUR', '-€1,290.5'],
    ['1234567.89', 'USD', '$1,234,567.89'],
    ['0.00', 'CHF', 'CHF\u00a00.00'],
    ['999.10', null, '999.10'],
  ])('money with separators and currency: %s %s', (exact, currency, said) => {
    expect(money(exact, currency)).toBe(said);
  });

  it('every digit of an amount, and nothing else but separators', () => {
    const amounts = fc.tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 16n }), fc.integer({ min: 0, max: 99 }));
    fc.assert(
      fc.property(amounts, ([isNegative, whole, cents]) => {
        const exact = `${isNegative ? '-' : ''}${whole}.${String(cents).padStart(2, '0')}`;
        expect(amount(exact).replaceAll(',', '')).toBe(exact);
        expect(amount(exact)).toMatch(/^-?\d{1,3}(?:,\d{3})*\.\d\d$/);
      }),
    );
  });

  it.each([
    ['2026-01-01', '2026-12-31', '2026'],
    ['2026-04-01', '2026-06-30', 'Q2 2026'],
    ['2024-02-01', '2024-02-29', 'February 2024'],
    ['2026-02-01', '2026-02-27', '1 Feb – 27 Feb 2026'],
    ['2026-02-01', '2026-04-30', '1 Feb – 30 Apr 2026'],
    ['2025-12-01', '2026-02-28', '1 Dec 2025 – 28 Feb 2026'],
    ['2026-03-05', '2026-03-05', '5 Mar 2026'],
  ])('a period by its name if it has one: %s to %s', (start, end, said) => {
    expect(period(start, end)).toBe(said);
  });

  it('days, months, sizes and numbers of things', () => {
    expect([day('2026-01-05'), month('2026-03')]).toEqual(['5 Jan 2026', 'Mar 2026']);
    expect([size(1), size(824), size(1500), size(14_300), size(20_000_000)]).toEqual(['1 byte', '824 bytes', '1.5 KB', '14 KB', '20 MB']);
  });

  it.each([
    ['de', '-1.290,50\u00a0€', '1.204', '5. Jan. 2026', '2. Quartal 2026', '1,5 KB', '24 Stunden', '5. Jan. 2026, 14:03'],
    ['fr', '-1\u202f290,50\u00a0€', '1\u202f204', '5 janv. 2026', '2e trimestre 2026', '1,5 ko', '24\u00a0heures', '5 janv. 2026, 14:03'],
  ])('all of it in %s as people write it there', (language, ...said) => {
    const saying = () => [
      ...[money('-1290.50', 'EUR'), count(1204), day('2026-01-05'), period('2026-04-01', '2026-06-30'), size(1500)],
      ...[duration(86_400_000), instant('2026-01-05T14:03:00Z', 'UTC')],
    ];
    expect(inWording(wordingOf(language), saying)).toEqual(said);
  });
});
