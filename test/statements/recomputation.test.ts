import { describe, expect, it } from 'vitest';
import { categoryOf, compute, idOf, inputsOf, statementOf } from '../../src/modules/reports/engine/fixtures/run.js';
import { readAll } from '../../src/modules/statements/formats/fixtures/reading.js';
import { samples, type Expected } from './corpus.js';

/*
 * The sums of a run, computed a second time from the lines that people have written down: whole numbers of ten-thousandths, loops, and
 * nothing of the engine.
 */
const RULES = {
  SMALL: { out: true, upTo: 500_000, percent: 100, tax: 19 },
  LARGE: { out: true, upTo: null, percent: 33, tax: null },
  MONEY_IN: { out: false, upTo: null, percent: 50, tax: 7 },
};
type Line = NonNullable<Expected['lines']>[number];

function wholeOf(amount: string): number {
  const [, sign, whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount)!;
  return Number(`${sign}${whole}${decimals.padEnd(4, '0')}`);
}

function shown(whole: number): string {
  return `${whole < 0 ? '-' : ''}${(Math.abs(whole) / 10_000).toFixed(2)}`;
}

const categoryFor = (whole: number) => (whole >= 0 ? 'MONEY_IN' : -whole <= RULES.SMALL.upTo ? 'SMALL' : 'LARGE');
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

function mainCurrency(lines: readonly Line[]): string | null {
  const named = [...new Set(lines.flatMap(({ currency }) => currency ?? []))].sort();
  const count = (wanted: string) => lines.filter(({ currency }) => currency === wanted).length;
  return named.sort((one, other) => count(other) - count(one))[0] ?? null;
}

/** The whole cents of tax in an exact claim in millionths: as many as fit, and one more if at least half a cent is left. */
function taxInCents(exact: number, tax: number): number {
  const above = exact * tax;
  const perCent = 10_000 * (100 + tax);
  return Math.floor(above / perCent) + ((above % perCent) * 2 >= perCent ? 1 : 0);
}

function expectedOf(all: readonly Line[]) {
  const currency = mainCurrency(all);
  const lines = all
    .filter((line) => line.currency === currency)
    .map(({ date, amount }) => ({ month: date.slice(0, 7), whole: wholeOf(amount) }));
  const categories = Object.entries(RULES).map(([code, { percent, tax }]) => {
    const own = lines.filter(({ whole }) => categoryFor(whole) === code);
    const months = [...new Set(own.map(({ month }) => month))];
    const exactClaims = months.map((month) => -sum(own.filter((line) => line.month === month).map(({ whole }) => whole)) * percent);
    // Half away from zero, to cents: an exact claim is in millionths.
    const claims = exactClaims.map((exact) => Math.sign(exact) * Math.floor((Math.abs(exact) + 5000) / 10_000) * 100);
    const taxes = exactClaims.map((exact) => Math.sign(exact) * taxInCents(Math.abs(exact), tax ?? 0) * 100);
    return {
      code,
      count: own.length,
      net: shown(-sum(own.map(({ whole }) => whole))),
      claimable: shown(sum(claims)),
      claimableTax: shown(sum(taxes)),
      claimableNet: shown(sum(claims) - sum(taxes)),
    };
  });
  return { currency, count: lines.length, net: shown(-sum(lines.map(({ whole }) => whole))), categories };
}

const ruleOf = ({ out, upTo, percent, tax }: (typeof RULES)[keyof typeof RULES]) => ({
  claimablePercent: percent,
  taxPercent: tax,
  all: [
    { field: 'direction', op: 'is', value: out ? 'out' : 'in' },
    ...(upTo === null ? [] : [{ field: 'amount', op: 'lte', value: shown(upTo) }]),
  ],
});
const CATEGORIES = Object.entries(RULES).map(([code, rule], index) =>
  categoryOf(code, [ruleOf(rule)], { id: idOf(index + 1), priority: code === 'SMALL' ? 1 : 0 }),
);

const all = await samples();

describe('a run over each statement of the corpus has the sums of its written-down lines', () => {
  const twoDecimals = all.filter(({ expected }) => expected.lines?.every(({ amount }) => /^-?\d+\.\d{2}$/.test(amount)));
  it.each(twoDecimals)('$name', async ({ name, bytes, expected }) => {
    const { lines } = await readAll(bytes, name);
    const runLines = lines.map((line, index) => ({ ...line, statementId: idOf(1), fingerprint: String(index) }));
    const statements = [statementOf(1, { periodStart: null, periodEnd: null })];
    const { currency, totals, categories } = await compute(inputsOf({ categories: CATEGORIES, statements }), runLines);
    expect({
      currency,
      count: totals.count,
      net: totals.net,
      categories: categories
        .map(({ code, count, net, claimable, claimableTax, claimableNet }) => ({ code, count, net, claimable, claimableTax, claimableNet }))
        .sort((a, b) => a.code.localeCompare(b.code)),
    }).toEqual({
      ...expectedOf(expected.lines!),
      categories: expectedOf(expected.lines!).categories.sort((a, b) => a.code.localeCompare(b.code)),
    });
  });

  it('leaves none out', () => {
    expect(all.filter(({ expected }) => expected.lines).length - twoDecimals.length).toBeLessThan(5);
  });
});
