import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, compute, idOf, inputsOf, lineOf, statementOf } from '../fixtures/run.js';
import type { RunLine, RunStatement } from '../inputs.js';

const rail = categoryOf('RAIL', [claiming('rail')]);
const balanceOf = (account: string, key: string | null = 'key-of-3000') => ({
  account,
  key,
  currency: 'EUR',
  opening: null,
  closing: null,
});
const CSV = { format: 'csv', balances: [balanceOf('ACCOUNT-A (3000)')] };
const CAMT = { format: 'camt053', balances: [balanceOf('ACCOUNT-B (3000)')] };
const csvLine = (amount: string, description: string, more: Partial<RunLine> = {}) =>
  lineOf(1, amount, { account: 'ACCOUNT-A (3000)', description, ...more });
const camtLine = (amount: string, description: string, more: Partial<RunLine> = {}) =>
  lineOf(2, amount, { account: 'ACCOUNT-B (3000)', description, ...more });

async function run(first: Partial<RunStatement>, second: Partial<RunStatement>, lines: readonly RunLine[]) {
  const result = await compute(inputsOf({ categories: [rail], statements: [statementOf(1, first), statementOf(2, second)] }), lines);
  const warnings = result.warnings.filter(({ code }) => ['possible_duplicate', 'overlap_differs', 'account_unknown'].includes(code));
  const codes = result.warnings.map(({ code }) => code);
  return { ...result, codes, duplicates: result.statements.map(({ duplicates }) => duplicates), warnings };
}

describe('the same month in two formats', () => {
  it('counts once, though accounts and texts are written in other ways', async () => {
    const { totals, duplicates, warnings } = await run(CSV, CAMT, [
      csvLine('-10.00', 'CARD PAYMENT DEUTSCHE BAHN rail'),
      csvLine('-7.5', 'Kiosk am Markt'),
      camtLine('-10', 'Deutsche Bahn AG, EREF 4711'),
      camtLine('-7.50', 'KIOSK AM MARKT BERLIN'),
    ]);
    expect(totals).toMatchObject({ count: 2, gross: '17.50', claimable: '10.00' });
    expect(duplicates).toEqual([0, 2]);
    expect(warnings).toEqual([]);
  });

  it('keeps the booking that only one of them has, even if another one has its day and amount', async () => {
    const { categories, totals } = await run(CSV, CAMT, [
      csvLine('-10.00', 'Kiosk am Markt'),
      camtLine('-10.00', 'Deutsche Bahn rail'),
      camtLine('-10.00', 'KIOSK AM MARKT'),
    ]);
    expect(totals.count).toBe(2);
    expect(categories[0]).toMatchObject({ code: 'RAIL', claimable: '10.00' });
  });

  it('counts a line whose text tells nothing once, and names both places', async () => {
    const [first, other, second] = [csvLine('-10.00', 'Kiosk'), csvLine('-3.00', 'Baker'), camtLine('-10.00', 'Ticket 12')];
    const { totals, warnings } = await run(CSV, CAMT, [first, other, second]);
    expect(totals.count).toBe(2);
    expect(warnings).toEqual([
      {
        code: 'possible_duplicate',
        message:
          `Lines of the statements ${idOf(2)} and ${idOf(1)} have the same account, day and amount, but other texts: ` +
          `${second.lineNumber} and ${first.lineNumber}. They are counted once.`,
      },
    ]);
  });

  it('warns of nothing if all bookings agree', async () => {
    const { totals, warnings } = await run(CSV, CAMT, [
      csvLine('-10.00', 'Kiosk'),
      csvLine('-3.00', 'Baker'),
      camtLine('-10.00', 'Ticket 12'),
      camtLine('-3.00', 'Bread'),
    ]);
    expect(totals.count).toBe(2);
    expect(warnings).toEqual([]);
  });

  it('says so if the dates are others: then bookings are counted twice', async () => {
    const { totals, warnings } = await run(CSV, CAMT, [
      csvLine('-10.00', 'Kiosk', { bookedOn: '2026-01-12' }),
      camtLine('-10.00', 'Kiosk', { bookedOn: '2026-01-13' }),
    ]);
    expect(totals.count).toBe(2);
    expect(warnings).toMatchObject([{ code: 'overlap_differs' }]);
    expect(warnings[0]!.message).toContain('both cover 2026-01-01 to 2026-01-31 of an account, but 1 of 1 lines of the first');
  });
});

describe('two files of one format', () => {
  it('may have different bookings of the same day and amount, which are counted, with a warning', async () => {
    const { totals, warnings } = await run(CSV, { ...CAMT, format: 'csv' }, [
      csvLine('-9.99', 'AMZN MKTP A1'),
      camtLine('-9.99', 'AMZN MKTP B2'),
    ]);
    expect(totals.count).toBe(2);
    expect(warnings).toMatchObject([{ code: 'possible_duplicate' }]);
    expect(warnings[0]!.message).toContain('They are counted as different bookings.');
  });

  it('may meet on a day that was not over when the first was made', async () => {
    const { totals, warnings } = await run({ ...CSV, periodEnd: '2026-01-15' }, { ...CAMT, format: 'csv', periodStart: '2026-01-15' }, [
      csvLine('-9.99', 'Morning', { fingerprint: 'm' }),
      camtLine('-9.99', 'Morning', { fingerprint: 'm' }),
      camtLine('-4.00', 'Evening'),
    ]);
    expect(totals.count).toBe(2);
    expect(warnings).toEqual([]);
  });
});

describe('other accounts', () => {
  it('may have the same bookings', async () => {
    const another = { format: 'camt053', balances: [balanceOf('ACCOUNT-B (3000)', 'another key')] };
    const { totals, warnings } = await run(CSV, another, [csvLine('-10.00', 'Rail'), camtLine('-10.00', 'Rail')]);
    expect(totals.count).toBe(2);
    expect(warnings).toEqual([]);
  });

  it('of one statement are not missing in a statement of one of them', async () => {
    const both = { ...CAMT, balances: [...CAMT.balances, balanceOf('ACCOUNT-C', 'third')] };
    const { totals, warnings } = await run(CSV, both, [
      csvLine('-10.00', 'Rail'),
      camtLine('-10.00', 'Rail'),
      camtLine('-2.00', 'Bus', { account: 'ACCOUNT-C' }),
    ]);
    expect(totals.count).toBe(2);
    expect(warnings).toEqual([]);
  });

  it('are asked for if the file names none: nothing is guessed', async () => {
    const { totals, warnings, evidence } = await run(CSV, { format: 'ofx', periodStart: '2026-01-20' }, [
      csvLine('-10.00', 'Rail'),
      lineOf(2, '-10.00', { description: 'Rail' }),
    ]);
    expect(totals.count).toBe(2);
    expect(warnings).toMatchObject([{ code: 'account_unknown' }]);
    expect(evidence.coveragePercent).toBe('100.0');
  });

  it('are those that the lines were matched with', async () => {
    const { totals, warnings, evidence } = await run(CSV, { format: 'ofx', matchedAccount: 'ACCOUNT-A (3000)' }, [
      csvLine('-10.00', 'Rail'),
      lineOf(2, '-10.00', { description: 'Rail' }),
    ]);
    expect(totals.count).toBe(1);
    expect(warnings).toEqual([]);
    expect(evidence.coveragePercent).toBe('100.0');
  });
});

it('a file without a currency has that of its account, so it is compared and counted', async () => {
  const unknown = { code: 'currency_unknown', message: 'Lines name no currency.' };
  const noCurrency = { format: 'csv', balances: [{ ...balanceOf('ACCOUNT-A (3000)'), currency: null }], warnings: [unknown] };
  const { totals, otherCurrencies, codes } = await run(noCurrency, CAMT, [
    csvLine('-10.00', 'Rail', { currency: null }),
    csvLine('-3.00', 'Baker', { currency: null }),
    camtLine('-10.00', 'RAIL'),
  ]);
  expect(totals).toMatchObject({ count: 2, gross: '13.00' });
  expect(otherCurrencies).toEqual([]);
  expect(codes).not.toContain('currency_unknown');
});

it('a file without a currency stays without one if its account has several', async () => {
  const usd = { ...balanceOf('ACCOUNT-B (3000)'), currency: 'USD' };
  const noCurrency = { format: 'csv', balances: [{ ...balanceOf('ACCOUNT-A (3000)'), currency: null }] };
  const { otherCurrencies } = await run(noCurrency, { ...CAMT, balances: [...CAMT.balances, usd] }, [
    csvLine('-3.00', 'Baker', { currency: null }),
    camtLine('-10.00', 'RAIL'),
  ]);
  expect(otherCurrencies).toMatchObject([{ currency: null, count: 1 }]);
});

it('one account in three formats is one account: its evidence is whole', async () => {
  const months = ['01-31', '02-28', '03-31'].map((end) => ({ periodStart: `2026-${end.slice(0, 2)}-01`, periodEnd: `2026-${end}` }));
  const formats = [CSV, CAMT, { format: 'mt940', balances: [balanceOf('ACCOUNT-C (3000)')] }];
  const statements = months.map((period, index) => statementOf(index + 1, { ...formats[index], ...period }));
  const { evidence } = await compute(inputsOf({ statements }), []);
  expect(evidence.coveragePercent).toBe('100.0');
});

it('whatever days two formats cover, each booking is counted once', async () => {
  const day = fc.integer({ min: 1, max: 12 });
  const booking = fc.record({ day, cents: fc.integer({ min: 1, max: 3 }), direction: fc.constantFrom('', '-') });
  const days = fc.tuple(day, day).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
  const dateOf = (number: number) => `2026-01-${String(number).padStart(2, '0')}`;
  await fc.assert(
    fc.asyncProperty(fc.array(booking, { maxLength: 25 }), days, days, async (bookings, first, second) => {
      const within = ([start, end]: readonly [number, number], at: number) => start <= at && at <= end;
      const linesOf = (make: typeof csvLine, covered: readonly [number, number], text: (index: number) => string) =>
        bookings.flatMap(({ day: at, cents, direction }, index) =>
          within(covered, at) ? [make(`${direction}0.0${cents}`, text(index), { bookedOn: dateOf(at) })] : [],
        );
      const spans = [first, second].map(([start, end]) => ({ periodStart: dateOf(start), periodEnd: dateOf(end) }));
      const { totals, warnings, controls } = await run({ ...CSV, ...spans[0] }, { ...CAMT, ...spans[1] }, [
        ...linesOf(csvLine, first, (index) => `CARD PAYMENT shop${index}x`),
        ...linesOf(camtLine, second, (index) => `SHOP${index}X Berlin`),
      ]);
      expect(totals.count).toBe(bookings.filter(({ day: at }) => within(first, at) || within(second, at)).length);
      expect(warnings).toEqual([]);
      expect(controls.every(({ ok }) => ok)).toBe(true);
    }),
  );
});
