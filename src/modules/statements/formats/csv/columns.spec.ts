import { describe, expect, it } from 'vitest';
import { bookingsOf, readAll, TODAY } from '../fixtures/reading.js';
import { piecesOf } from '../../../../../tools/bank-files/fixtures/pieces.js';
import { readStatement } from '../read-statement.js';

const read = (content: string) => readAll(content, 'a.csv');
const codesOf = async (content: string): Promise<string[]> => (await read(content)).warnings.map(({ code }) => code);

describe('a column whose name is not known', () => {
  it('is shown with the description, under its name', async () => {
    const { lines } = await read('Date;Text;Amount;Cost centre;Ship to\n2026-03-02;Tea;-1,50;Berlin office;Mill Lane 1\n');
    expect(lines[0]!.description).toBe('Tea Cost centre: Berlin office Ship to: Mill Lane 1');
  });

  it('is not shown if its cell is empty, a date, a time, zero or a dash, or repeats a field', async () => {
    const { lines } = await read('Date;Text;Amount;A1x;B1x;C1x;D1x;E1x;F1x\n2026-03-02;Tea;-1,50;;2026-03-02;10:15;0,00;--;Tea\n');
    expect(lines[0]!.description).toBe('Tea');
  });

  it('has a name of limited length', async () => {
    const { lines } = await read(`Date;Text;Amount;${'long '.repeat(20)}\n2026-03-02;Tea;-1,50;x1\n`);
    expect(lines[0]!.description).toBe(`Tea ${'long '.repeat(20).slice(0, 39)}…: x1`);
  });

  it('is named by its position in a warning if it has amounts, and is still shown', async () => {
    const { lines, warnings } = await read('Date;Text;Amount;Levy;Balance\n2026-03-02;Tea;-1,50;-0,30;98,50\n');
    expect(lines[0]).toMatchObject({ amount: '-1.50', description: 'Tea Levy: -0,30' });
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'column_not_used', message: expect.stringMatching(/^Column 4 /) as string }),
      expect.objectContaining({ code: 'currency_unknown' }),
    ]);
  });

  it('is the other party if its name says so, since its cells are names of people', async () => {
    const { lines } = await read(
      'Buchungstag;Verwendungszweck;Betrag;Empfänger oder Auftraggeber der Zahlung\n02.03.2026;Miete;-1,50;Ida Kranz\n',
    );
    expect(lines[0]).toMatchObject({ description: 'Miete', counterparty: 'Ida Kranz' });
  });
});

describe('a second column of one meaning', () => {
  it('is shown with the description: kinds of bookings, references', async () => {
    const { lines } = await read(
      'Buchungstag;Umsatzart;Buchungstext;Betrag;Referenz;Mandatsreferenz\n02.03.2026;Lastschrift;Strom Abschlag;-1,50;R1;M7\n',
    );
    expect(lines[0]).toMatchObject({ description: 'Lastschrift Strom Abschlag Mandatsreferenz: M7', reference: 'R1' });
  });

  it('of amounts is not used even where the first is empty, and is named in a warning', async () => {
    await expect(read('Date;Text;Amount (EUR);Amount (USD)\n2026-03-02;Tea;-1,50;-1,70\n2026-03-03;Tea;;-1,70\n')).rejects.toMatchObject({
      code: 'invalid_amount',
    });
    expect(await codesOf('Date;Text;Amount (EUR);Amount (USD)\n2026-03-02;Tea;-1,50;-1,70\n')).toContain('column_not_used');
  });
});

describe('payer and payee', () => {
  it('are the other party by the direction of the money, and never the holder of the account', async () => {
    const { lines } = await read(
      'Buchungsdatum;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Betrag (€)\n' +
        '02.03.26;Ida Kranz;Stadtwerke;Strom;-50,00\n03.03.26;Tom Linde;Ida Kranz;Danke;7,00\n',
    );
    expect(lines.map(({ counterparty }) => counterparty)).toEqual(['Stadtwerke', 'Tom Linde']);
    expect(lines.map(({ currency }) => currency)).toEqual(['EUR', 'EUR']);
  });
});

describe('a column is taken for what its cells are:', () => {
  it.each([
    ['Valuta is the value date in German', 'Buchung;Valuta;Text;Betrag\n02.03.2026;03.03.2026;Tee;-1,50\n', '2026-03-02 -1.50'],
    ['Valuta is the currency in Danish', 'Dato;Tekst;Beløb;Valuta\n02.03.2026;Te;-1,50;DKK\n', '2026-03-02 -1.50 DKK'],
    ['Valor is the value date in Spanish', 'Fecha;Valor;Concepto;Importe\n02/03/2026;31/03/2026;Té;-1,50\n', '2026-03-02 -1.50'],
    ['Valor is the amount in Portuguese', 'Data;Descrição;Valor\n31/03/2026;Chá;-1,50\n', '2026-03-31 -1.50'],
  ])('%s', async (_what, content, booking) => {
    expect(bookingsOf(await read(content))).toEqual([booking]);
  });

  it('the net amount is counted, not the gross amount or the fee', async () => {
    const { lines } = await read('Date,Name,Type,Currency,Gross,Fee,Net,Balance\n2026-03-02,Tom,Sale,EUR,10.00,-0.50,9.50,9.50\n');
    expect(lines[0]).toMatchObject({ amount: '9.50', description: 'Sale Gross: 10.00 Fee: -0.50' });
  });
});

describe('a row with nothing but text', () => {
  it('continues the description of the booking before it', async () => {
    const { lines } = await read(
      'Transaction date,Value date,Description,Withdrawals (SGD),Deposits (SGD)\n' +
        '02/03/2026,02/03/2026,FAST PAYMENT,12.50,\n,,to Tulip Pte Ltd,,\n,,OTHR Rent,,\n31/03/2026,31/03/2026,INTEREST,,0.10\n',
    );
    expect(lines.map(({ description, amount }) => [description, amount])).toEqual([
      ['FAST PAYMENT to Tulip Pte Ltd OTHR Rent', '-12.50'],
      ['INTEREST', '0.10'],
    ]);
  });

  it('continues no booking if it stands before all of them, or has fewer cells', async () => {
    const { lines } = await read('Date,Description,Amount\n,Account of the office,\n2026-03-02,Tea,-1.50\nOur terms have changed\n');
    expect(lines.map(({ description }) => description)).toEqual(['Tea']);
  });

  it('continues the booking before it also where one batch of lines ends and the next begins', async () => {
    const count = 1000;
    const row = (index: number): string => `02/03/2026,02/03/2026,PAYMENT ${index},12.50,\n,,to Tulip ${index},,\n`;
    const { lines } = await read(
      `Transaction date,Value date,Description,Withdrawals (SGD),Deposits (SGD)\n31/03/2026,31/03/2026,INTEREST,,0.10\n` +
        Array.from({ length: count }, (_, index) => row(index)).join(''),
    );
    expect(lines.map(({ description }) => description)).toEqual([
      'INTEREST',
      ...Array.from({ length: count }, (_, index) => `PAYMENT ${index} to Tulip ${index}`),
    ]);
  });
});

describe('a column of which nothing is known', () => {
  it('has no amounts if it has dates', async () => {
    const { warnings } = await read('Date;Text;Amount;Zork\n02.03.2026;Tea;-1,50;05.03.2026\n03.03.2026;Tea;-1,70;\n');
    expect(warnings.map(({ code }) => code)).not.toContain('column_not_used');
  });
});

describe('what each column is read as', () => {
  const columnsOf = async (content: string) => (await readStatement(piecesOf(Buffer.from(content)), 'a.csv', TODAY)).columns;

  it('is told with the number and the name of the column', async () => {
    expect(await columnsOf('Date;Text;Amount;Levy\n2026-03-02;Tea;-1,50;Berlin\n')).toEqual([
      { column: 1, name: 'Date', readAs: 'date' },
      { column: 2, name: 'Text', readAs: 'description' },
      { column: 3, name: 'Amount', readAs: 'amount' },
      { column: 4, name: 'Levy', readAs: 'note' },
    ]);
  });

  it('has no name without a header, not even that of the first row', async () => {
    const columns = await columnsOf('2026-03-02;Tea;-1,50;EUR\n2026-03-03;Coffee;-2,50;EUR\n2026-03-04;Cake;-3,50;EUR\n');
    expect(columns.map(({ column, name }) => [column, name])).toEqual([1, 2, 3, 4].map((column) => [column, '']));
  });
});
