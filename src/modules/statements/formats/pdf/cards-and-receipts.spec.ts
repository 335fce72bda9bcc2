import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makePdf, type PdfLine } from '../fixtures/pdf.js';
import { bookingsOf, type Read, readAll } from '../fixtures/reading.js';

const sample = (name: string): PdfLine[] => {
  const file = new URL(`../../../../../test/statements/${name}.pdf.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as PdfLine[][])[0]!;
};
const read = async (lines: readonly PdfLine[]): Promise<Read> => readAll(await makePdf([lines]));
const codeOf = (lines: readonly PdfLine[]): Promise<string> =>
  read(lines).then(
    () => 'read',
    (error: { code: string }) => error.code,
  );
const withText = (lines: readonly PdfLine[], change: (text: string) => string): PdfLine[] =>
  lines.map((line) => line?.map(([x, text]): [number, string] => [x, change(text)]) ?? null);
const isAmount = (text: string): boolean => /^\(?-?[\d.,]+[.,]\d\d[-+)]?$/.test(text);

const CARD = sample('sg/card-pages');
const GERMAN = sample('de/kreditkarte-pages');
const RECEIPTS = sample('ke/m-pesa-pages');

describe.each([
  ['a card that writes purchases without a sign', CARD],
  ['a card that writes purchases with a minus', GERMAN],
  ['receipts with a balance after each, newest first', RECEIPTS],
])('%s', (_what, lines) => {
  it('is refused if an amount or a balance is another', async () => {
    for (const [row, line] of lines.entries())
      for (const [cell, [x, text]] of (line ?? []).entries()) {
        // Of the summary of M-Pesa, only the totals are read.
        if (!isAmount(text) || /MONEY|OTHERS/.test(line![0]![1])) continue;
        const other = text.replace(/[.,]\d/, (digits) => `${digits[0]}${(Number(digits[1]) + 1) % 10}`);
        const changed = lines.with(row, line!.with(cell, [x, other]));
        expect(await codeOf(changed), `row ${row + 1}: ${text}`).toMatch(/^(pdf_does_not_tie|direction_unknown)$/);
      }
  });

  it('is refused without any row that has an amount', async () => {
    for (const [row, line] of lines.entries()) {
      if (!line?.some(([, text]) => isAmount(text)) || /MONEY|OTHERS/.test(line[0]![1])) continue;
      expect(await codeOf(lines.toSpliced(row, 1)), `row ${row + 1}`).not.toBe('read');
    }
  });
});

describe('the direction of the amounts of a card', () => {
  it('is that of its payments, which are money in, whatever their sign', async () => {
    expect(bookingsOf(await read(CARD)).slice(0, 2)).toEqual(['2026-03-02 345.60 SGD', '2026-03-05 -42.50 SGD']);
    expect(bookingsOf(await read(GERMAN)).slice(0, 2)).toEqual(['2026-03-04 96.20 EUR', '2026-03-09 -22.60 EUR']);
  });

  it('is not guessed without a payment, or if payments have both signs', async () => {
    expect(await codeOf(withText(CARD, (text) => text.replace('PAYMENT BY INTERNET', 'EXAMPLE BOOKS')))).toBe('direction_unknown');
    expect(await codeOf(withText(CARD, (text) => text.replace('GROCER 12', 'PAYMENT BY WEB')))).toBe('direction_unknown');
  });

  it('is not guessed if a purchase may be what is called a payment: its sign is that of most, or of the balance', async () => {
    const named = withText(CARD, (text) => text.replace('PAYMENT BY INTERNET', 'TRANSFER').replace('GROCER 12', 'PAYMENT BY WEB'));
    expect(await codeOf(named)).toBe('direction_unknown');
    const inCredit = withText(CARD, (text) => (text === '345.60' ? '(345.60)' : text === '74.20' ? '(617.00)' : text));
    expect(await codeOf(inCredit)).toBe('direction_unknown');
  });
});

describe('the statement of an account that has the bill of a card among its bookings', () => {
  it('is never turned round: direct debits are money out', async () => {
    const account = withText(CARD, (text) =>
      text.replace(/EXAMPLE BANK.*|CREDIT LIMIT.*|PAYMENT DUE.*/, 'CURRENT ACCOUNT').replace('PAYMENT BY', 'DIRECT DEBIT PAYMENT BY'),
    ).map(
      (line) =>
        line?.map(([x, text]): [number, string] => [
          x,
          text.replace("LAST MONTH'S", 'OPENING').replace('GROCER 12', 'CREDIT CARD STATEMENT'),
        ]) ?? null,
    );
    expect(await codeOf(account)).toBe('direction_unknown');
  });

  it('nor is one that only looks like the bill of a card: no payment is that of the last bill', async () => {
    const other = withText(CARD, (text) => text.replace('(345.60)', '(300.00)').replace('74.20', '119.80'));
    expect(await codeOf(other)).toBe('direction_unknown');
    const received = withText(other, (text) => text.replace('PAYMENT BY INTERNET', 'PAYMENT RECEIVED - THANK YOU'));
    expect(bookingsOf(await read(received))[0]).toBe('2026-03-02 300.00 SGD');
  });

  it('does not lose a payment that is named like a closing balance', async () => {
    const named = withText(GERMAN, (text) => text.replace('Bahn Nord', 'Rechnungsbetrag Bahn'));
    expect(bookingsOf(await read(named))).toEqual(bookingsOf(await read(GERMAN)));
  });
});

/** A table with the columns of money out and of the balance at these right edges. */
const tableAt = ([out, balance]: readonly [number, number], rows: readonly (readonly [string, string])[], forward = 'Opening balance') => [
  ...[[50, 'Date'] as const].map((date): PdfLine => [date, [120, 'Details'], [-400, 'Paid in'], [out, 'Withdrawn'], [balance, 'Balance']]),
  ...[forward].map((name): PdfLine => [
    [120, name],
    [balance, '5,500.00'],
  ]),
  ...rows.map(([amount, after]): PdfLine => [
    [50, '14/03/2026'],
    [120, 'Cash machine'],
    [out, amount],
    [balance, after],
  ]),
  ...[rows.at(-1)![1]].map((after): PdfLine => [
    [120, 'Closing balance'],
    [balance, after],
  ]),
];
const amountsOf = async (lines: readonly PdfLine[]) => (await read(lines)).lines.map(({ amount }) => amount);
const FAR = [-470, -540] as const;

describe('a table', () => {
  it('is read if columns stand so close that two amounts, or two names of columns, are one text', async () => {
    for (const edges of [FAR, [-497, -540], [-499, -540]] as const) {
      const rows = [
        ['1,000.00', '4,500.00'],
        ['60.00', '4,440.00'],
        ['2,440.00', '2,000.00'],
      ] as const;
      expect(await amountsOf(tableAt(edges, rows)), edges.join()).toEqual(['-1000.00', '-60.00', '-2440.00']);
    }
  });

  it('has a minus in the column for debits where one was taken back, if other debits have none', async () => {
    expect(
      await amountsOf(
        tableAt(FAR, [
          ['60.00', '5,440.00'],
          ['-60.00', '5,500.00'],
        ]),
      ),
    ).toEqual(['-60.00', '60.00']);
    expect(
      await codeOf(
        tableAt(FAR, [
          ['60.00', '5,440.00'],
          ['-60.00', '5,380.00'],
        ]),
      ),
    ).toBe('pdf_does_not_tie');
    expect(
      await amountsOf(
        tableAt(FAR, [
          ['-60.00', '5,440.00'],
          ['-60.00', '5,380.00'],
        ]),
      ),
    ).toEqual(['-60.00', '-60.00']);
  });

  it('may begin with a balance whose name is short', async () => {
    for (const name of ['B/F', 'b / f']) expect(await amountsOf(tableAt(FAR, [['60.00', '5,440.00']], name))).toEqual(['-60.00']);
    expect(await codeOf(tableAt(FAR, [['60.00', '5,440.00']], 'To B/F Shop'))).toBe('pdf_does_not_tie');
  });

  it('leaves the word for the status out of a text that goes on in the next row', async () => {
    const texts = (await read(RECEIPTS)).lines.map(({ description }) => description);
    expect(texts).toContain('UCD9EF34GH Customer Transfer to 2547XXXXX483 AMINA EXAMPLE');
  });
});

describe('receipts', () => {
  it('are read with the oldest first, too, with zeros in the other column, and with dates close to them', async () => {
    const [head, bookings] = [RECEIPTS.slice(0, 12), RECEIPTS.slice(12)];
    const oldestFirst = [...head, ...bookings.slice(4), ...bookings.slice(2, 4), ...bookings.slice(0, 2)];
    const zeros = oldestFirst.map((line) => (line?.some(([, text]) => text === '-42.00') ? [...line, [-450, '0.00'] as const] : line));
    expect(bookingsOf(await read(zeros))).toEqual(bookingsOf(await read(RECEIPTS)).toReversed());
  });

  it('say what was looked for if nothing proves them', async () => {
    const without = RECEIPTS.filter((line) => line?.[0]?.[1] !== 'TOTAL:');
    await expect(read(without)).rejects.toMatchObject({
      code: 'pdf_does_not_tie',
      message: expect.stringMatching(/no opening balance .* totals of money in and out\. Import the CSV/) as string,
    });
  });
});
