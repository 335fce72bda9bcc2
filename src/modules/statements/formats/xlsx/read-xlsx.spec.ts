import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookingsOf, codesOf, readAll } from '../fixtures/reading.js';
import { BOOK, bookOf, rowsOf, zipped } from '../fixtures/xlsx.js';

const HEADER = ['Date', 'Description', 'Amount'];
const amountIn = (value: string | number, format?: string) =>
  bookOf({
    formats: format === undefined ? [] : [format],
    sheets: [rowsOf(HEADER, ['2026-01-31', 'x', { value, style: format === undefined ? 0 : 1 }])],
  });

describe('a workbook', () => {
  it('is read as a CSV of its cells would be, with the dates and amounts that were meant', async () => {
    const read = await readAll(BOOK);
    expect(read.format).toBe('xlsx');
    expect(bookingsOf(read)).toEqual(['2026-01-31 -12.30 EUR', '2026-02-01 1234.00 EUR']);
    expect(read.lines[0]).toMatchObject({ account: 'DE89370400440532013000', description: 'Ida & Tom' });
    expect(read.balances).toEqual([{ account: 'DE89370400440532013000', currency: 'EUR', opening: '100.00', closing: '1321.70' }]);
    expect(codesOf(read)).toEqual([]);
  });

  it('may count its days from 1904', async () => {
    const book = bookOf({ is1904: true, formats: ['yyyy-mm-dd'], sheets: [rowsOf(HEADER, [{ value: 44591, style: 1 }, 'x', 1])] });
    expect((await readAll(book)).lines[0]!.bookedOn).toBe('2026-01-31');
  });

  it.each([
    ['12.299999999999999', '12.30'],
    ['-0.30000000000000004', '-0.30'],
    ['1.1E3', '1100.00'],
    ['1.234', '1.234'],
    ['0.5', '0.50'],
    ['-5.0000000000000001E-2', '-0.05'],
    ['123456789012.34', '123456789012.34'],
  ])('has the exact amount of %s', async (value, amount) => {
    expect((await readAll(amountIn(value))).lines[0]!.amount).toBe(amount);
  });

  it('learns the decimal mark of its texts from them alone', async () => {
    const book = (...amounts: (string | number)[]) =>
      readAll(bookOf({ sheets: [rowsOf(HEADER, ...amounts.map((amount) => ['2026-01-31', 'x', amount]))] }));
    // The number beside it made a thousandth of it.
    await expect(book(12.5, '-1.234')).rejects.toMatchObject({ code: 'ambiguous_amount' });
    expect((await book(12.5, '-1.234,50', '-2.000')).lines.map(({ amount }) => amount)).toEqual(['12.50', '-1234.50', '-2000.00']);
  });

  it('is read with any amount of cents that a sum of doubles makes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1, maxLength: 10 }), async (cents) => {
        const sum = cents.reduce((all, one) => all + one / 100, 0);
        const exact = cents.reduce((all, one) => all + one, 0) / 100;
        const { lines } = await readAll(amountIn(sum, '0.00'));
        expect(lines[0]!.amount).toBe(exact.toFixed(2).replace(/^-0\.00$/, '0.00'));
      }),
      { numRuns: 60 },
    );
  });

  it('warns of amounts with parts of a cent, and rounds them only if their cells show fewer decimals', async () => {
    const shown = async (value: string, format?: string) => {
      const read = await readAll(amountIn(value, format));
      return [read.lines[0]!.amount, codesOf(read).filter((code) => code === 'amount_inexact')];
    };
    expect(await shown('27.479973', '#,##0.00')).toEqual(['27.48', ['amount_inexact']]);
    expect(await shown('-27.475', '0.00')).toEqual(['-27.48', ['amount_inexact']]);
    expect(await shown('27.479973')).toEqual(['27.479973', ['amount_inexact']]);
    expect(await shown('27.475', '0.000')).toEqual(['27.475', []]);
    // A format without decimals hides cents, which are there all the same.
    expect(await shown('12.5', '0')).toEqual(['12.50', []]);
    expect(await shown('12', '#,##0.00 "USD"')).toEqual(['12.00', []]);
    const rate = bookOf({ sheets: [rowsOf([...HEADER, 'Exchange rate'], ['2026-01-31', 'x', 1, 1.08345])] });
    expect(codesOf(await readAll(rate))).not.toContain('amount_inexact');
  });

  it('names the currency in the format of its amounts', async () => {
    for (const format of ['0.00 "USD"', '[$USD] #,##0.00', '[$USD-409]0.00;[Red]-[$USD-409]0.00'])
      expect((await readAll(amountIn('1', format))).lines[0]!.currency).toBe('USD');
  });

  it('fails at a date or amount that its cell does not have, with the row', async () => {
    const rows = (cell: string) =>
      bookOf({ formats: ['dd/mm/yy'], sheets: [`${rowsOf(HEADER)}<row r="9"><c t="str"><v>2026-01-31</v></c><c/>${cell}</row>`] });
    for (const cell of [
      '<c><f>A1+1</f></c>',
      '<c t="e"><v>#DIV/0!</v></c>',
      '<c t="s"><v>99</v></c>',
      '<c s="1"><v>-7</v></c>',
      '<c><v>1e99</v></c>',
    ])
      await expect(readAll(rows(cell)), cell).rejects.toMatchObject({
        code: 'invalid_amount',
        message: expect.stringContaining('ine 9') as string,
      });
    const undated = bookOf({ sheets: [rowsOf(HEADER, [46053, 'x', 1])] });
    await expect(readAll(undated)).rejects.toMatchObject({ code: 'invalid_date' });
  });

  it('may have other sheets, but only one with bookings', async () => {
    const [notes, bookings] = [rowsOf(['Notes'], ['Dear all']), rowsOf(HEADER, ['2026-01-31', 'x', -1.5])];
    expect(bookingsOf(await readAll(bookOf({ sheets: [notes, bookings] })))).toEqual(['2026-01-31 -1.50']);
    await expect(readAll(bookOf({ sheets: [bookings, notes, bookings] }))).rejects.toMatchObject({
      code: 'several_sheets',
      message: expect.stringContaining('1, 3') as string,
    });
    await expect(readAll(bookOf({ sheets: [notes, notes] }))).rejects.toMatchObject({ code: 'header_not_found' });
    await expect(readAll(bookOf({ sheets: [''] }))).rejects.toMatchObject({ code: 'empty_file' });
  });

  it('with a prefix for its elements is the same', async () => {
    const rows = rowsOf(HEADER, ['2026-01-31', 'x', -1.5]).replace(/<(\/?)/g, '<$1x:');
    expect(bookingsOf(await readAll(bookOf({ sheets: [rows] })))).toEqual(['2026-01-31 -1.50']);
  });
});

describe('an archive that is no workbook', () => {
  it.each([
    ['a ZIP archive', { 'january.csv': 'Date,Description,Amount\n' }],
    ['a binary workbook', { 'xl/workbook.bin': 'x' }],
    ['an OpenDocument sheet', { 'content.xml': '<x/>' }],
  ])('is refused: %s', async (_name, files) => {
    await expect(readAll(zipped(files))).rejects.toMatchObject({ code: 'format_not_supported' });
  });

  it('is refused if it is damaged, or has more than it says', async () => {
    await expect(readAll(BOOK.subarray(0, BOOK.length - 30))).rejects.toMatchObject({ code: 'incomplete_file' });
    const flipped = Buffer.from(BOOK);
    const at = flipped.indexOf('xl/worksheets/sheet1.xml') + 60;
    flipped[at] = flipped[at]! ^ 1;
    await expect(readAll(flipped)).rejects.toMatchObject({ code: 'invalid_archive' });
  });
});

it('any damaged workbook is read the same or fails with a code', async () => {
  const whole = await readAll(BOOK);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: BOOK.length - 1 }), fc.uint8Array({ maxLength: 4 }), fc.nat({ max: 4 }), async (at, put, removed) => {
      const damaged = Buffer.concat([BOOK.subarray(0, at), put, BOOK.subarray(at + removed)]);
      const outcome = await readAll(damaged).catch((error: { code?: string }) => error.code);
      if (typeof outcome === 'object') expect(outcome.lines).toEqual(whole.lines);
      else expect(outcome).toMatch(/^[a-z_]+$/);
    }),
    { numRuns: 300 },
  );
});

it('a workbook with damaged markup is read or fails with a code', async () => {
  const rows = rowsOf(HEADER, ['2026-01-31', 'x', -1.5], ['2026-02-01', 'y', 3]);
  const pieces = fc.constantFrom(
    '<row>',
    '</row>',
    '<c',
    '</c>',
    '<v>',
    '"',
    '<!--',
    '<![CDATA[',
    '&',
    't="s"',
    's="7"',
    'r="ZZZ9"',
    '9'.repeat(30),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(), pieces, fc.nat({ max: 8 }), async (at, put, removed) => {
      const place = at % rows.length;
      const outcome = await readAll(bookOf({ sheets: [rows.slice(0, place) + put + rows.slice(place + removed)] })).catch(
        (error: { code?: string }) => error.code,
      );
      if (typeof outcome !== 'object') expect(outcome).toMatch(/^[a-z_]+$/);
    }),
    { numRuns: 300 },
  );
});
