import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoryOf, compute, configurationOf, inputsOf, lineOf } from '../fixtures/run.js';
import type { RunInputs } from '../inputs.js';

/*
 * Conversions are computed a second time with whole numbers, in the most obvious way: every rate is searched for in the whole table,
 * and every line is converted and rounded on its own.
 */
interface Row {
  currency: string;
  month?: string;
  day?: string;
  /** In ten-thousandths. */
  rate: number;
}
interface Line {
  cents: number;
  currency: string | null;
  bookedOn: string;
}

const DAYS = ['2026-02-20', '2026-02-27', '2026-02-28', '2026-03-01', '2026-03-06', '2026-03-07', '2026-03-31', '2026-04-08'];
const anyDay = fc.constantFrom(...DAYS);
const rate = fc.oneof(fc.integer({ min: 1, max: 2_000_000 }), fc.constantFrom(10_000, 5_000, 15_000));
const rows: fc.Arbitrary<Row[]> = fc
  .array(
    fc.oneof(
      fc.record({ currency: fc.constantFrom('USD', 'CHF'), month: fc.constantFrom('2026-02', '2026-03'), rate }),
      fc.record({ currency: fc.constantFrom('USD', 'CHF'), day: anyDay, rate }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((all: Row[]) =>
    all.filter(({ currency, month, day }, index) => {
      const same = (other: Row) => other.currency === currency && other.month === month && other.day === day;
      const isInMonth = day !== undefined && all.some((other) => other.currency === currency && other.month === day.slice(0, 7));
      return all.findIndex(same) === index && !isInMonth;
    }),
  )
  .filter(({ length }) => length > 0);
const lines: fc.Arbitrary<Line[]> = fc.array(
  fc.record({
    cents: fc.integer({ min: -100_000, max: 100_000 }),
    currency: fc.constantFrom('EUR', 'USD', 'USD', 'CHF', null),
    bookedOn: anyDay,
  }),
  { maxLength: 30 },
);

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

function rateFor(table: readonly Row[], { currency, bookedOn }: Line): Row | undefined {
  const own = table.filter((row) => row.currency === currency);
  const ofMonth = own.find(({ month }) => month === bookedOn.slice(0, 7));
  const before = own.filter(({ day }) => day !== undefined && day <= bookedOn && daysBetween(day, bookedOn) <= 7);
  return ofMonth ?? before.sort((a, b) => (a.day! < b.day! ? 1 : -1))[0];
}

/** Cents times ten-thousandths, rounded half away from zero to cents. */
const convertedCents = (cents: number, by: number) => Math.sign(cents) * Math.floor((Math.abs(cents) * by + 5_000) / 10_000);

const shown = (cents: number) => `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Small expenses by their original amount: 20.00 in any currency. */
const SMALL = categoryOf('SMALL', [
  {
    claimablePercent: 100,
    all: [
      { field: 'direction', op: 'is', value: 'out' },
      { field: 'amount', op: 'lte', value: '20.00' },
    ],
  },
]);

const inputsFor = (table: readonly Row[]): RunInputs =>
  inputsOf({
    categories: [SMALL],
    configuration: configurationOf({
      outputOptions: {
        currency: 'EUR',
        rates: { source: 'Tax office', table: table.map((row) => ({ ...row, rate: (row.rate / 10_000).toFixed(4) })) },
      },
    }),
  });

describe('any run with rates', () => {
  it('has the totals and claims of the simplest conversion', async () => {
    await fc.assert(
      fc.asyncProperty(rows, lines, async (table, all) => {
        const result = await compute(
          inputsFor(table),
          all.map(({ cents, ...line }) => lineOf(1, shown(cents), line)),
        );
        const converted = all.map((line) => {
          const found = line.currency === 'EUR' ? undefined : rateFor(table, line);
          return { ...line, found, inReport: line.currency === 'EUR' ? line.cents : found && convertedCents(line.cents, found.rate) };
        });
        const used = converted.filter(({ inReport }) => inReport !== undefined);
        const small = used.filter(({ cents }) => cents < 0 && cents >= -2000);
        expect(result.currency).toBe('EUR');
        expect([result.totals.count, result.totals.net]).toEqual([used.length, shown(-sum(used.map(({ inReport }) => inReport!)))]);
        expect([result.categories[0]!.count, result.categories[0]!.claimable]).toEqual([
          small.length,
          shown(-sum(small.map(({ inReport }) => inReport!))),
        ]);
        const withRate = converted.filter(({ found }) => found);
        for (const currency of ['USD', 'CHF']) {
          const own = withRate.filter((line) => line.currency === currency);
          const expected = own.length === 0 ? undefined : { count: own.length, net: shown(-sum(own.map(({ cents }) => cents))) };
          const found = result.conversions?.currencies.find((one) => one.currency === currency);
          expect(found && { count: found.count, net: found.net }).toEqual(expected);
          const missing = all.filter((line) => line.currency === currency).length - own.length;
          expect(result.otherCurrencies.find((other) => other.currency === currency)?.count ?? 0).toBe(missing);
          const warned = result.warnings.filter(({ code, message }) => code === 'rate_missing' && message.includes(currency));
          expect(warned).toHaveLength(missing > 0 ? 1 : 0);
        }
        expect(sum((result.conversions?.rates ?? []).map(({ count }) => count))).toBe(withRate.length);
        expect(result.controls.filter(({ ok }) => !ok)).toEqual([]);
        expect(result.controls.some(({ name }) => name === 'own_and_converted_make_net')).toBe(withRate.length > 0);
      }),
      { numRuns: 300 },
    );
  });
});
