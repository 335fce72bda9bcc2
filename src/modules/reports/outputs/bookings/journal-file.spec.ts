import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moneyOf, minorDigitsOf, unitOf } from '../../../../kernel/money.js';
import { categoryOf, claiming, lineOf, statementOf } from '../../engine/fixtures/run.js';
import { computedReport } from '../fixtures/computed-report.js';
import { someLine, someReport } from '../fixtures/report.js';
import type { Report } from '../report.js';
import { claimedLines } from '../tables.js';
import { journalFile } from '../fixtures/files.js';

const rowsOf = async (report: Report) =>
  parse<Record<string, string>>(await journalFile(report), { columns: true, bom: true, record_delimiter: '\r\n' });
const third = categoryOf('THIRD', [claiming('rail', '33.3333')]);
const half = categoryOf('HALF', [claiming('lunch', 50)]);
const reportOf = (amounts: readonly string[]) =>
  computedReport(
    { categories: [third] },
    amounts.map((amount) => lineOf(1, amount)),
  );

describe('a journal', () => {
  it('books the claim of a line on the accounts of its category, and names statement and line', async () => {
    const report = await computedReport({ categories: [half, third], statements: [statementOf(1), statementOf(2)] }, [
      lineOf(2, '-12.00', { lineNumber: 12, bookedOn: '2026-03-31', description: 'Lunch', counterparty: 'Cafe Example GmbH' }),
    ]);
    const accounts = [{ account: '0650', contraAccount: '1590', taxKey: '9' }, ...report.accounts.slice(1)];
    expect(await rowsOf({ ...report, accounts })).toEqual([
      {
        date: '2026-03-31',
        amount: '6.00',
        currency: 'EUR',
        account: '0650',
        contra_account: '1590',
        tax_key: '9',
        text: 'Cafe Example GmbH, Lunch',
        reference: 'S2/12',
        category: 'HALF',
      },
    ]);
  });

  it('gives the cents that rounding down leaves to the largest remainders, of equal ones to the first', async () => {
    // Three lines of 3.33333 make 9.99999, so 10.00.
    expect((await rowsOf(await reportOf(['-10.00', '-10.00', '-10.00']))).map(({ amount }) => amount)).toEqual(['3.34', '3.33', '3.33']);
    // 0.333333 and 0.666666 make 0.999999, so 1.00.
    expect((await rowsOf(await reportOf(['-1.00', '-2.00']))).map(({ amount }) => amount)).toEqual(['0.33', '0.67']);
  });

  it('has no booking for a claim of zero, for lines without a category and for lines in other currencies', async () => {
    const categories = [categoryOf('NOTHING', [claiming('gift', 0)]), third];
    const report = await computedReport({ categories }, [
      lineOf(1, '-9.00', { description: 'Gift' }),
      lineOf(1, '-9.00', { description: 'Rent' }),
      lineOf(1, '-3.00'),
      lineOf(1, '-3.00'),
      lineOf(1, '-9.00', { currency: 'USD' }),
      lineOf(1, '-0.01'),
    ]);
    expect((await rowsOf(report)).map(({ amount }) => amount)).toEqual(['1.00', '1.00']);
  });

  it('adds up to the claim of the report, of each category and month, and to less than a unit from each line’s claim', async () => {
    const amount = fc
      .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: 0, max: 3 }))
      .map(([value, decimals]) => (value / 10 ** decimals).toFixed(decimals));
    const line = fc.record({
      amount: amount.filter((text) => !/^-0(\.0+)?$/.test(text)),
      description: fc.constantFrom('Rail', 'Lunch', 'Rent'),
      bookedOn: fc.constantFrom('2026-01-15', '2026-01-31', '2026-02-01', '2026-12-31'),
      currency: fc.constantFrom('EUR', 'EUR', 'JPY'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), fc.constantFrom('EUR', 'JPY'), async (lines, currency) => {
        const report = await computedReport(
          { categories: [half, third], configuration: null },
          lines.map(({ amount: text, ...more }) => lineOf(1, text, more)),
        );
        fc.pre(report.result.currency === currency);
        const rows = await rowsOf(report);
        const sumOf = (of: typeof rows) => of.reduce((sum, row) => sum + moneyOf(row.amount!), 0n);
        expect(sumOf(rows)).toBe(moneyOf(report.result.totals.claimable));
        for (const { code, months } of report.result.categories) {
          for (const { month, claimable } of months)
            expect(sumOf(rows.filter((row) => row.category === code && row.date!.startsWith(month)))).toBe(moneyOf(claimable));
        }
        const booked = new Map(rows.map((row) => [row.reference, row.amount!]));
        const digits = minorDigitsOf(currency);
        for (const { lineNumber, claimable } of claimedLines(report)) {
          const difference = moneyOf(booked.get(`S1/${lineNumber}`) ?? '0') - moneyOf(claimable!);
          expect(difference > -unitOf(digits) && difference < unitOf(digits)).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is refused if a category with bookings has no accounts', async () => {
    const report = await reportOf(['-3.00']);
    const accounts = [{ account: '4660', contraAccount: null, taxKey: null }];
    await expect(journalFile({ ...report, accounts })).rejects.toMatchObject({
      code: 'missing_account',
      message: 'Category THIRD: sourceMapping.contraAccount is missing. Bookings need it.',
    });
    const unused = await computedReport({ categories: [third] }, []);
    expect(await rowsOf({ ...unused, accounts })).toEqual([]);
  });

  it('is refused if its bookings were not the claim of the report', async () => {
    await expect(journalFile(someReport({ lines: [someLine] }))).rejects.toThrow('do not add up');
  });
});
