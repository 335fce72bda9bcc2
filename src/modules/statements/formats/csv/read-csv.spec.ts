import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as csv from '../fixtures/csv.js';
import { bookingsOf, readAll } from '../fixtures/reading.js';

const HEADER = 'Date,Description,Amount\n';
const failureOf = async (content: string, name?: string): Promise<{ code?: string; message?: string }> =>
  readAll(content, name).then(
    () => ({}),
    (error: { code: string; message: string }) => error,
  );

describe('a CSV in the documented format', () => {
  it('may have its columns in any order and case', async () => {
    const read = await readAll(csv.PLAIN);
    expect(read.format).toBe('csv');
    expect(bookingsOf(read)).toEqual(['2024-03-01 -12.50 EUR', '2024-03-04 200.00 EUR']);
    expect(read.lines[1]).toEqual({
      lineNumber: 2,
      account: 'DE89370400440532013000',
      bookedOn: '2024-03-04',
      amount: '200.00',
      currency: 'EUR',
      description: 'Invoice 17, first half',
      counterparty: 'Kranz, Ida',
      counterpartyAccount: null,
      counterpartyAddress: null,
      reference: null,
      bankReference: null,
    });
    expect(read.balances).toEqual([{ account: 'DE89370400440532013000', currency: 'EUR', opening: '1000.00', closing: '1187.50' }]);
  });

  it('needs only date, description and amount', async () => {
    expect(bookingsOf(await readAll(`${HEADER}2024-01-31,x,-1\n2024-02-01,"a ""b"" c, d\ne",0`))).toEqual([
      '2024-01-31 -1.00',
      '2024-02-01 0.00',
    ]);
  });

  it('is read back with any texts, days, amounts and delimiter', async () => {
    const rows = fc.array(
      fc.record({
        text: fc.string({ unit: fc.constantFrom('a', 'Ü', '"', ',', ';', '\n', '|', '\t', ' ', '😀', '=') }),
        days: fc.integer({ min: 0, max: 20_000 }),
        cents: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      }),
      { minLength: 1, maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n', '\r\r\n'),
        async (values, delimiter, end) => {
          const wanted = values.map(({ days, cents, text }) => ({
            bookedOn: new Date(days * 86_400_000).toISOString().slice(0, 10),
            amount: (cents / 100).toFixed(2),
            description: text.replace(/\s+/g, ' ').trim(),
          }));
          const lines = wanted.map(({ bookedOn, amount }, index) =>
            [bookedOn, `"${values[index]!.text.replaceAll('"', '""')}"`, amount].join(delimiter),
          );
          const { lines: read } = await readAll([['Date', 'Description', 'Amount'].join(delimiter), ...lines, ''].join(end));
          expect(read.map(({ bookedOn, amount, description }) => ({ bookedOn, amount, description }))).toEqual(wanted);
        },
      ),
    );
  });
});

describe('reads the export of', () => {
  it.each([
    [
      'a German savings bank: two-digit years, decimal commas, no pending bookings',
      csv.SPARKASSE,
      ['2024-03-14 -1084.20 EUR', '2024-03-15 2500.00 EUR'],
    ],
    ['a German bank with lines above the header', csv.DKB, ['2024-03-28 -39.95 EUR', '2024-03-27 120.00 EUR']],
    ['a Dutch bank with signs', csv.RABOBANK, ['2024-02-28 -337.49 EUR', '2024-02-29 50.00 EUR']],
    ['a Dutch bank with directions', csv.ING_NL, ['2024-03-05 20.00 EUR', '2024-03-04 -1.75 EUR']],
    ['an Austrian bank without a header', csv.RAIFFEISEN, ['2023-09-18 -33.87 EUR', '2023-09-19 1500.00 EUR']],
    ['a British mobile bank', csv.MONZO, ['2024-02-25 -10.00 GBP', '2024-02-26 -3.40 GBP']],
    ['a bank with fees in a separate column', csv.REVOLUT, ['2024-02-01 -20.00 EUR', '2024-02-02 -51.00 EUR']],
    ['a bank that names the currency in the header', csv.N26, ['2024-04-02 450.00 EUR', '2024-04-03 -19.99 EUR']],
    ['an American bank: months first', csv.US_CHECKING, ['2024-04-30 -1234.56', '2024-04-02 -25.00']],
    ['a French bank: columns for debits and credits, a total at the end', csv.FRENCH, ['2024-03-29 -84.20 EUR', '2024-04-02 1250.00 EUR']],
    ['a card whose debits have no sign and whose credits are marked', csv.UK_CARD, ['2023-12-12 -1183.23 GBP', '2023-12-02 1100.00 GBP']],
  ])('%s', async (_which, content, bookings) => {
    expect(bookingsOf(await readAll(content))).toEqual(bookings);
  });

  it('a bank whose transaction types are directions', async () => {
    expect(
      bookingsOf(await readAll('Date,Description,Amount,Transaction Type\n2024-01-31,x,1.50,debit\n2024-01-31,y,2.50,credit\n')),
    ).toEqual(['2024-01-31 -1.50', '2024-01-31 2.50']);
    expect(
      bookingsOf(await readAll('Date,Description,Amount,Transaction Type\n2024-01-31,x,-1.50,debit\n2024-01-31,y,2.50,transfer\n')),
    ).toEqual(['2024-01-31 -1.50', '2024-01-31 2.50']);
  });

  it('every kind of bank with counterparty and account', async () => {
    expect((await readAll(csv.SPARKASSE)).lines[0]).toMatchObject({
      account: 'DE89370400440532013000',
      description: 'Strom Abschlag März Buchungstext: FOLGELASTSCHRIFT',
      counterparty: 'Stadtwerke Müllerberg',
      counterpartyAccount: 'DE02120300000000202051',
    });
    expect((await readAll(csv.DKB)).lines[0]).toMatchObject({
      account: 'DE89370400440532013000',
      counterpartyAccount: 'DE02120300000000202051',
      reference: 'R-88',
    });
    expect((await readAll(csv.DKB)).lines[1]).toMatchObject({ description: 'Gutschrift' });
    expect((await readAll(csv.RABOBANK)).lines[0]).toMatchObject({
      account: 'NL91ABNA0417164300',
      counterparty: 'Kantoor De Vries',
      counterpartyAccount: 'NL20INGB0001234567',
      description: 'Huur maart',
      bankReference: '000000000000000101',
    });
    expect((await readAll(csv.ING_NL)).lines[0]).toMatchObject({
      account: 'NL91ABNA0417164300',
      counterpartyAccount: 'NL20INGB0001234567',
    });
    expect((await readAll(csv.N26)).lines[0]).toMatchObject({
      description: 'Half of the "big" rent Type: Credit Transfer',
      counterparty: 'Ida Kranz',
      counterpartyAccount: 'DE02500105170137075030',
    });
    expect((await readAll(csv.FRENCH)).lines[0]).toMatchObject({ account: 'FR1420041010050500013M02606' });
  });

  it('a bank with the newest bookings first, with its balances, and without them if they do not add up', async () => {
    expect((await readAll(csv.ING_NL)).balances).toEqual([
      { account: 'NL91ABNA0417164300', currency: 'EUR', opening: '101.75', closing: '120.00' },
    ]);
    expect((await readAll(csv.REVOLUT)).balances).toEqual([{ account: null, currency: 'EUR', opening: '100.00', closing: '29.00' }]);
    const untied = await readAll(csv.ING_NL.replace('100,00', '100,01'));
    expect(untied.balances).toEqual([]);
    expect(untied.warnings).toMatchObject([{ code: 'balances_do_not_tie', message: expect.stringContaining('line 3') as string }]);
  });
});

describe('dates', () => {
  it('are read once one of them shows which number is the day', async () => {
    const rows = Array.from({ length: 1000 }, (_, index) => `0${1 + (index % 9)}/05/2024,x,1.00\n`).join('');
    expect((await readAll(`${HEADER}${rows}31/05/2024,x,1.00\n`)).lines[0]!.bookedOn).toBe('2024-05-01');
    expect((await readAll(`${HEADER}${rows}05/31/2024,x,1.00\n`)).lines[0]!.bookedOn).toBe('2024-01-05');
  });

  it('that stay ambiguous fail with the line of the first one', async () => {
    expect(await failureOf(`${HEADER}05/05/2024,x,1.00\n01/02/2024,x,1.00\n`)).toMatchObject({
      code: 'ambiguous_dates',
      message: expect.stringMatching(/^Line 3 /) as string,
    });
  });

  it('that are ambiguous for thousands of lines fail, even if a later line would decide', async () => {
    expect(await failureOf(`${HEADER}${'01/02/2024,x,1.00\n'.repeat(20_001)}31/01/2024,x,1.00\n`)).toMatchObject({
      code: 'ambiguous_dates',
    });
  });

  it('may be decided by the value date', async () => {
    expect(bookingsOf(await readAll('Booking date,Value date,Amount\n01/02/2024,31/01/2024,1.50\n'))).toEqual(['2024-02-01 1.50']);
  });
});

describe('an invalid CSV fails with the line number, and without quoting the line:', () => {
  it.each([
    ['invalid_date', `${HEADER}2024-01-31,x,1.50\n2024-02-30,Secret,1.50\n`, 3],
    ['invalid_date', `${HEADER}2024-01-31,x,1.50\n,Secret,1.50\n`, 3],
    ['invalid_date', `${HEADER}soon,Total Secret,1.50\n`, 2],
    ['invalid_date', `${HEADER}31/01/2024,x,1.50\n01/31/2024,Secret,1.50\n`, 3],
    ['invalid_amount', `${HEADER}2024-01-31,Secret,lots\n`, 2],
    ['invalid_amount', `${HEADER}2024-01-31,Secret,\n`, 2],
    ['invalid_amount', `${HEADER}2024-01-31,Secret,${'9'.repeat(17)}.00\n`, 2],
    ['invalid_amount', 'Date;Amount;D/C\n2024-01-31;1,50;X\n', 2],
    ['invalid_amount', 'Date;Debit;Credit\n2024-01-31;1,50;2,50\n', 2],
    ['ambiguous_amount', `${HEADER}2024-01-31,Secret,"1,234"\n`, 2],
    ['ambiguous_amount', `${HEADER}2024-01-31,x,1.50\n2024-01-31,Secret,"1,50"\n`, 3],
    ['ambiguous_amount', 'Date;Amount;D/C\n2024-01-31;-1,50;C\n', 2],
    ['ambiguous_amount', 'Date;Debit;Credit\n2024-01-31;1,50;\n2024-01-31;-2,50;\n', 3],
    ['ambiguous_amount', 'Date;Debit;Credit\n2024-01-31;;-1,50\n', 2],
    ['ambiguous_amount', `${HEADER}${'2024-01-31,x,1.50\n'.repeat(5000)}2024-01-31,Secret,1.50 CR\n`, 5002],
    ['invalid_csv', `${HEADER}2024-01-31,"Secret,1.50\n`, 2],
  ])('%s', async (code, content, line) => {
    const failure = await failureOf(content);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(new RegExp(`\\bline ${line}\\b`, 'i')) as string });
    expect(failure.message).not.toMatch(/Secret|lots|999/);
  });

  it('a line that never ends', async () => {
    expect(await failureOf(`${HEADER}${','.repeat(200_000)}\n`)).toMatchObject({ code: 'invalid_csv' });
  });

  it('a header that is missing or names too few columns', async () => {
    expect(await failureOf('1;2;3\n4;5;6\n')).toMatchObject({ code: 'header_not_found' });
    expect(await failureOf('Date;Description;Code\n2024-01-31;x;1\n')).toMatchObject({ code: 'header_not_found' });
    expect(await failureOf('nothing\n', 'a.csv')).toMatchObject({ code: 'header_not_found' });
    expect(await failureOf('nothing\n', 'a.doc')).toMatchObject({ code: 'format_unknown' });
  });
});

describe('columns without a header are recognized only with certainty', () => {
  it.each([
    ['two columns of amounts', '01.02.2024;Tea;-1,50;98,50\n02.02.2024;Tea;-1,50;97,00\n'],
    ['no sign that distinguishes money in from money out', '01.02.2024;Tea;1,50\n'],
    ['a row without a date', '01.02.2024;Tea;-1,50\nsoon;Tea;-1,50\n'],
    ['nothing but numbers', '01.02.2024;17;-1,50\n'],
  ])('not with %s', async (_what, content) => {
    expect(await failureOf(content)).toMatchObject({ code: 'header_not_found' });
  });
});

describe('a row that is not a booking is left out:', () => {
  it.each([
    'Total,,12.50',
    ',Summe,"12.50"',
    'Please note our new terms.',
    ',,',
    'Pending,Tea,1.50',
    '2024-02-01,Balance brought forward,,100.00',
  ])('%s', async (row) => {
    expect(bookingsOf(await readAll(`Date,Description,Amount,Balance\n2024-01-31,x,-1.50,100.00\n${row}\n`))).toEqual(['2024-01-31 -1.50']);
  });
});
