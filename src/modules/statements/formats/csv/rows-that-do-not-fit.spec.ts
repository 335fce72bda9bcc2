import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookingsOf, readAll } from '../fixtures/reading.js';

const failureOf = async (content: string): Promise<{ code?: string; message?: string }> =>
  readAll(content, 'a.csv').then(
    () => ({}),
    (error: { code: string; message: string }) => error,
  );

describe('a table about the account above the header', () => {
  const BOOKINGS = 'Buchungstag;Wertstellung;Verwendungszweck;Umsatz;Währung\n20.01.2026;20.01.2026;Tee;-11,99;EUR\n';

  it('is no booking: its balance stands where bookings have their amount', async () => {
    const above = 'Umsätze ab;Enddatum;Kontonummer;Saldo;Währung\n01.01.2026;15.02.2026;1234567;345,67;EUR\n';
    expect(await readAll(above + BOOKINGS, 'a.csv')).toMatchObject({ warnings: [], certainty: 'plausible' });
    const two = await readAll(`${above}02.01.2026;02.01.2026;Kuchen;-3,20;EUR\n${BOOKINGS}`, 'a.csv');
    expect(two.warnings).toEqual([{ code: 'row_above_header', message: 'Line 3: like a booking, but above the header, and left out.' }]);
  });
});

describe('a booking above the header', () => {
  const TABLE = 'Date,Payee,Amount,Balance\n2026-04-24,Baker,-3.00,97.00\n2026-04-25,Baker,-2.00,95.00\n';

  it('is left out with a warning that says where it is', async () => {
    const { warnings, lines } = await readAll(`2026-04-23,Grocer,-12.50,100.00\n${TABLE}`, 'a.csv', undefined, { currency: 'EUR' });
    expect(lines).toHaveLength(2);
    expect(warnings).toEqual([{ code: 'row_above_header', message: 'Line 1: like a booking, but above the header, and left out.' }]);
  });

  it('is not what banks write there: dates of the export, periods and balances', async () => {
    for (const row of ['Exported,2026-04-26,,', 'Period,2026-04-01,2026-04-30,', 'Opening balance,2026-04-01,,100.00', '2026-04-01,,,'])
      expect((await readAll(`${row}\n${TABLE}`, 'a.csv', undefined, { currency: 'EUR' })).warnings, row).toEqual([]);
  });
});

describe('a row with another number of cells than the header', () => {
  it('is refused with its line: $1,000.00 without quotation marks was read as 1.00', async () => {
    expect(await failureOf('Date,Payee,Amount\n2026-04-23,Grocer,-12.50\n2026-04-24,Employer,$1,000.00\n')).toEqual(
      expect.objectContaining({
        code: 'row_does_not_fit',
        message: 'Line 3 has 4 cells, but the header has 3. A cell with a delimiter in it may lack its quotation marks.',
      }),
    );
  });

  it('is refused if a cell is missing, since all that follow would have the meaning of another', async () => {
    expect(await failureOf('Date,Description,Amount,Balance\n2026-04-24,-1.50,98.50\n')).toMatchObject({ code: 'row_does_not_fit' });
  });

  it('fits if only empty cells differ at the end', async () => {
    expect(bookingsOf(await readAll('Date,Payee,Amount,\n2026-04-23,Grocer,-12.50\n2026-04-24,Baker,-1.50,,\n'))).toHaveLength(2);
  });

  it('never becomes another booking, whichever cell is dropped or doubled in whichever row', async () => {
    const header = 'Date,Description,Amount,Currency,Balance,Counterparty';
    const rows = [
      ['2026-04-22', 'Opening a shop', '-20.00', 'EUR', '80.00', 'Grocer'],
      ['2026-04-23', 'Bread', '-1.50', 'EUR', '78.50', 'Baker'],
      ['2026-04-24', 'Salary', '100.00', 'EUR', '178.50', 'Employer'],
    ];
    const textOf = (cells: readonly (readonly string[])[]) => [header, ...cells.map((row) => row.join(','))].join('\n');
    const at = fc.record({ row: fc.nat(2), cell: fc.nat(5), isDoubled: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(at, async ({ row, cell, isDoubled }) => {
        const changed = rows.map((cells, index) =>
          index === row ? cells.toSpliced(cell, 1, ...(isDoubled ? [cells[cell]!, cells[cell]!] : [])) : cells,
        );
        expect(await failureOf(textOf(changed))).toMatchObject({ message: expect.stringMatching(`Line ${row + 2}`) as string });
      }),
    );
  });
});

/** As a Baltic bank exports it: a column for the direction, and rows for balances and turnover among the bookings. */
const BALTIC = `"Account No","","Date","Beneficiary","Details","Amount","Currency","D/K","Record ID","Code"
"LT121000011101001000","10","2026-03-01","","Opening balance","1000.00","EUR","K","","AS"
"LT121000011101001000","20","2026-03-02","UAB Lempa","Lamps","421.07","EUR","D","2026030200001","MK"
"LT121000011101001000","20","2026-03-09","AB Klientas","Invoice 7","3000.00","EUR","K","2026030900001","MK"
"LT121000011101001000","82","2026-03-31","","Turnover","421.07","EUR","D","","K2"
"LT121000011101001000","82","2026-03-31","","Turnover","3000.00","EUR","K","","K2"
"LT121000011101001000","86","2026-03-31","","Closing balance","3578.93","EUR","K","","LS"
`;

describe('a file with a column for debit and credit, and rows for balances', () => {
  it('counts neither balances nor turnover as bookings: a month of +2,578.93 was read as +29,623.67', async () => {
    const read = await readAll(BALTIC, 'a.csv');
    expect(bookingsOf(read)).toEqual(['2026-03-02 -421.07 EUR', '2026-03-09 3000.00 EUR']);
    expect(read.balances).toEqual([{ account: 'LT121000011101001000', currency: 'EUR', opening: '1000.00', closing: '3578.93' }]);
  });

  it.each([
    ['a booking is missing', BALTIC.replace(/^.*Lamps.*\n/m, '')],
    ['a booking is there twice', BALTIC.replace(/^.*Lamps.*\n/m, '$&$&')],
    ['an amount is another', BALTIC.replace('421.07', '421.70')],
    ['a direction is another', BALTIC.replace('"421.07","EUR","D"', '"421.07","EUR","K"')],
  ])('is refused with the lines of both balances if %s', async (_what, content) => {
    const closing = content.trim().split('\n').length;
    expect(await failureOf(content)).toMatchObject({
      code: 'balances_contradict',
      message: `The bookings do not lead from the balance on line 2 to the one on line ${closing}: a row is missing or has another form.`,
    });
  });

  it('leaves out no payment to a shop that is called Total', async () => {
    expect(bookingsOf(await readAll('Date,Description,Amount\n2026-03-02,TOTAL,-60.00\n2026-03-03,Summe,-1.00\n'))).toHaveLength(2);
  });
});

describe('the direction of amounts without signs is read from', () => {
  it.each([
    ['German', 'Datum;Text;Betrag;Soll/Haben', 'S', 'H'],
    ['Dutch', 'Datum;Omschrijving;Bedrag;Af/Bij', 'Af', 'Bij'],
    ['Swedish', 'Datum;Text;Belopp;Debet/Kredit', 'D', 'K'],
    ['Estonian', 'Kuupäev;Selgitus;Summa;Deebet/Kreedit (D/C)', 'D', 'C'],
    ['Polish', 'Data;Opis;Kwota;WN/MA', 'WN', 'MA'],
    ['Czech, where D is money in', 'Datum;Popis;Castka;MD/D', 'MD', 'D'],
    ['Hungarian', 'Datum;Text;Amount;T/J', 'T', 'J'],
    ['Turkish', 'Datum;Text;Amount;B/A', 'B', 'A'],
    ['Spanish', 'Fecha;Concepto;Importe;Debe/Haber', 'Debe', 'Haber'],
    ['Italian', 'Data;Descrizione;Importo;Dare/Avere', 'Dare', 'Avere'],
    ['a column whose name is not known, if every row has a word for it', 'Date;Text;Amount;Which way', 'Debit', 'Credit'],
  ])('%s', async (_language, header, out, into) => {
    expect(bookingsOf(await readAll(`${header}\n2026-03-02;Tea;1,50;${out}\n2026-03-03;Salary;20,00;${into}\n`, 'a.csv'))).toEqual([
      '2026-03-02 -1.50',
      '2026-03-03 20.00',
    ]);
  });
});
