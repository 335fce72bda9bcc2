import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GERMAN_QIF, HOUSEHOLD } from './fixtures/qif.js';
import { bookingsOf, codesOf, readAll } from './fixtures/reading.js';

const withDates = (...dates: string[]) => `!Type:Bank\n${dates.map((date) => `D${date}\nT-1.50\n^\n`).join('')}`;

describe('a QIF', () => {
  it('of a household program has its accounts, opening balances and splits', async () => {
    const read = await readAll(HOUSEHOLD);
    expect(read.format).toBe('qif');
    expect(bookingsOf(read)).toEqual(['2026-01-31 -1234.50', '2006-02-02 20.00']);
    expect(read.lines[0]).toEqual({
      lineNumber: 1,
      account: 'Girokonto',
      bookedOn: '2026-01-31',
      amount: '-1234.50',
      currency: null,
      description: 'Rent and power February',
      counterparty: 'Ida Kranz',
      counterpartyAccount: null,
      counterpartyAddress: 'Lindenhof 1, 12345 Linde',
      reference: '319',
      bankReference: null,
    });
    expect(read.lines[1]).toMatchObject({ account: 'Visa', description: 'Tea room', counterparty: 'Tea room' });
    expect(read.balances).toEqual([{ account: 'Girokonto', currency: null, opening: '1000.00', closing: null }]);
    expect(codesOf(read)).toEqual(['currency_unknown']);
  });

  it('of a German bank has points in dates and a decimal comma', async () => {
    const read = await readAll(GERMAN_QIF);
    expect(bookingsOf(read)).toEqual(['2026-01-31 -84.20', '2026-02-01 1250.00']);
    expect(read.lines.map(({ description }) => description)).toEqual(['Abschlag Strom', 'Miete']);
  });

  it.each([
    ["1/31'26", '2026-01-31'],
    ["1/31' 4", '2004-01-31'],
    ['31/ 1/26', '2026-01-31'],
    ['31/1/2026', '2026-01-31'],
    ['1/31/99', '1999-01-31'],
    ['2026-01-31', '2026-01-31'],
    ['31-01-26', '2026-01-31'],
    ["31.01'26", '2026-01-31'],
    ["1/31'2026", '2026-01-31'],
    ['20260131', '2026-01-31'],
  ])('has dates such as %s', async (written, day) => {
    expect((await readAll(withDates(written))).lines[0]!.bookedOn).toBe(day);
  });

  it('fails if no date proves the order of day and month; one is enough', async () => {
    await expect(readAll(withDates('1/2/26', '3/3/26'))).rejects.toMatchObject({ code: 'ambiguous_dates' });
    expect(bookingsOf(await readAll(withDates('1/2/26', '3/13/26')))).toEqual(['2026-01-02 -1.50', '2026-03-13 -1.50']);
    await expect(readAll(withDates('13/1/26', '1/13/26'))).rejects.toMatchObject({ code: 'invalid_date' });
  });

  it('has an opening balance only where the money comes from the account itself', async () => {
    expect((await readAll(HOUSEHOLD.replace('L[Girokonto]', 'L[Savings]'))).lines).toHaveLength(3);
  });

  it('warns of fields that are not known', async () => {
    const read = await readAll(GERMAN_QIF.replaceAll('\n^', '\nZx\n^'));
    expect(read.lines).toHaveLength(2);
    expect(codesOf(read)).toEqual(['field_not_used', 'currency_unknown']);
  });

  it.each([
    ['splits_do_not_tie', '$-84.50', '$-84.51', 28],
    ['invalid_amount', 'U-1,234.50', 'U-1,234.51', 28],
    ['invalid_amount', 'T20', 'Ttwenty', 48],
    ['invalid_amount', 'T20\n', '', 48],
    ['invalid_date', "D2/ 2' 6", 'Dsoon', 48],
    ['invalid_date', "D2/ 2' 6\n", '', 48],
    ['invalid_line', '^\n!Account\nNVisa', '!Account\nNVisa', 28],
    ['invalid_line', '!Type:CCard', '!Unknown', 47],
    ['format_not_supported', '!Type:CCard', '!Type:Invst', 47],
    ['format_not_supported', '!Type:CCard', '!Type:Invoice', 47],
    ['incomplete_file', 'LDining\n^\n', '', 48],
  ])('fails with %s and the line', async (code, from, to, line) => {
    await expect(readAll(HOUSEHOLD.replace(from, () => to))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`\\b${line}\\b`)) as string,
    });
  });

  it('without bookings fails', async () => {
    await expect(readAll('!Type:Cat\nNRent\n^\n')).rejects.toMatchObject({ code: 'statement_missing' });
    await expect(readAll('!Account\nNx\n^\n!Type:Prices\n"X",1/2,"1/2/26"\n^\n')).rejects.toMatchObject({ code: 'statement_missing' });
  });

  it('is read with any amounts, and its splits have to make them exactly', async () => {
    const cents = fc.integer({ min: -100_000_000, max: 100_000_000 });
    const written = (value: number): string => (value / 100).toLocaleString('en', { minimumFractionDigits: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(cents, { minLength: 1, maxLength: 8 }), fc.integer({ min: 0, max: 2 }), async (splits, error) => {
        const sum = splits.reduce((all, split) => all + split, 0) + error;
        const file = `!Type:Bank\nD1/31/2026\nT${written(sum)}\n${splits.map((split) => `SX\n$${written(split)}\n`).join('')}^\n`;
        const amount = readAll(file).then(({ lines }) => lines[0]!.amount);
        if (error > 0) await expect(amount).rejects.toMatchObject({ code: 'splits_do_not_tie' });
        else await expect(amount).resolves.toBe(`${(sum / 100).toFixed(2)}`.replace(/^-0\.00$/, '0.00'));
      }),
    );
  });
});
