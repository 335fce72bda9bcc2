import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../../../kernel/failure.js';
import { bookingsOf, readAll } from '../fixtures/reading.js';

const read = (content: string) => readAll(content, 'a.csv');
const warned = ({ warnings }: Awaited<ReturnType<typeof read>>, code: string): string =>
  warnings.find((one) => one.code === code)?.message ?? '';

const STARLING = 'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes\n';

describe('a purchase at a shop that is called like a balance', () => {
  it.each([
    [
      'the only row',
      '02/03/2026,New Balance,SHOES,CHIP & PIN,-60.00,940.00,SHOPPING,\n31/03/2026,Tesco,FOOD,CHIP & PIN,-10.00,930.00,GROCERIES,\n',
    ],
    [
      'the last row',
      '02/03/2026,Tesco,FOOD,CHIP & PIN,-10.00,990.00,GROCERIES,\n31/03/2026,New Balance,SHOES,CHIP & PIN,-60.00,930.00,SHOPPING,\n',
    ],
    [
      'a row between others',
      '02/03/2026,Tesco,F,C,-10.00,990.00,G,\n30/03/2026,Carried Forward,S,C,-60.00,930.00,S,\n31/03/2026,Tesco,F,C,-5.00,925.00,G,\n',
    ],
  ])('is a booking: %s', async (_what, rows) => {
    const found = await read(STARLING + rows);
    expect(found.lines.map(({ amount }) => amount)).toContain('-60.00');
    expect(found.lines).toHaveLength(rows.trim().split('\n').length);
    expect(warned(found, 'turnover_left_out')).toBe('');
  });

  it('is one by its amount where the shop stands in the description', async () => {
    const found = await read('Date,Description,Amount,Balance\n2026-03-02,New Balance,-60.00,940.00\n2026-03-03,Tea,-1.00,939.00\n');
    expect(bookingsOf(found)).toEqual(['2026-03-02 -60.00', '2026-03-03 -1.00']);
  });

  it('is left out and told where nothing but its name says what it is', async () => {
    const found = await read('Date,Description,Amount\n2026-03-02,Tea,-1.00\n2026-03-03,New Balance,-60.00\n2026-03-04,Tea,-1.00\n');
    expect(found.lines).toHaveLength(2);
    expect(warned(found, 'turnover_left_out')).toMatch(/^Line 3: /);
  });

  it('is refused without its date, if it is called like a total', async () => {
    const rows = '02/03/2026,Tesco,FOOD,CHIP & PIN,-10.00,990.00,GROCERIES,\n,TOTAL ENERGIES,FUEL,CHIP & PIN,-60.00,930.00,FUEL,\n';
    await expect(read(STARLING + rows)).rejects.toMatchObject({ code: 'invalid_date' });
  });
});

describe('rows that are left out', () => {
  it('are named by their lines: totals', async () => {
    const found = await read('Date;Text;Amount\n2026-03-02;Tea;-1,50\n;Total debits;-1,50\nTotal;;-1,50\n');
    expect(found.lines).toHaveLength(1);
    expect(warned(found, 'turnover_left_out')).toMatch(/^Lines 3 and 4: /);
  });

  it.each([
    ['Reverted', 'not_booked'],
    ['On hold', 'not_booked'],
    ['nicht gebucht', 'not_booked'],
    ['Wird geprüft', 'status_unknown'],
    ['Zzz', 'status_unknown'],
  ])('are named by their lines: with the status %s, by %s', async (status, code) => {
    const found = await read(`Date;Text;Amount;Status\n2026-03-02;Tea;-1,50;Completed\n2026-03-03;Tea;-1,50;${status}\n`);
    expect(found.lines).toHaveLength(1);
    expect(warned(found, code)).toMatch(/^Line 3: /);
  });

  it('are named, the first ten of them', async () => {
    const rows = Array.from({ length: 12 }, () => '2026-03-03;Tea;-1,50;Failed\n').join('');
    const found = await read(`Date;Text;Amount;Status\n2026-03-02;Tea;-1,50;Completed\n${rows}`);
    expect(warned(found, 'not_booked')).toMatch(/^12 lines, the first of them 3, 4, 5, 6, 7, 8, 9, 10, 11, 12: /);
  });
});

describe('a second header', () => {
  const first = 'Date;Text;Amount;Currency\n2026-03-02;Tea;-1,50;EUR\n';
  it.each([
    ['of another account', `${first}Account: 12345678\nDate;Text;Amount;Currency\n2026-03-03;Rent;-9,00;EUR\n`, 4],
    ['with the columns in another order', `${first}Date;Text;Income;Amount\n2026-03-03;Rent;9,00;-9,00\n`, 3],
    ['in another language', `${first}Buchungstag;Verwendungszweck;Betrag\n03.03.2026;Miete;-9,00\n`, 3],
    ['of the same export, pasted twice', first + first, 3],
    [
      'with a column for the status',
      'Date;Text;Amount;Status\n2026-03-02;Tea;-1,50;Booked\nDate;Text;Amount;Status\n2026-03-03;T;-1,5;Booked\n',
      3,
    ],
  ])('is refused with its line: %s', async (_what, content, line) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'several_tables',
      message: expect.stringContaining(`Line ${line} `) as string,
    });
  });
});

describe('dates in two forms in one column', () => {
  it.each([
    ['2026-01-02;A;-1,00\n20/01/2026;B;-1,00\n', 3],
    ['20/01/2026;A;-1,00\n21/01/2026;A;-1,00\n2026-02-01;B;-1,00\n', 4],
  ])('are refused, since a spreadsheet may have exchanged day and month in one of them: %j', async (rows, line) => {
    await expect(read(`Date;Text;Amount\n${rows}`)).rejects.toMatchObject({
      code: 'ambiguous_dates',
      message: expect.stringContaining(`Line ${line} `) as string,
    });
  });

  it('are read where one has points, which are in no other order', async () => {
    expect(bookingsOf(await read('Date;Text;Amount\n2026-01-02;A;-1,00\n20.01.2026;B;-1,00\n'))).toHaveLength(2);
  });
});

describe('a file that was cut within its last number', () => {
  it.each(['-12.', '-12', '-12.5', '-1'])('is refused: %s of -12.50', async (amount) => {
    await expect(read(`Date,Text,Amount\n2026-03-02,Tea,-1.50\n2026-03-03,Rent,${amount}`)).rejects.toMatchObject({
      code: 'incomplete_file',
      message: expect.stringContaining('Line 3 ') as string,
    });
  });

  it('is read if the number is whole, or all numbers have no decimals', async () => {
    expect((await read('Date,Text,Amount\n2026-03-02,Tea,-1.50\n2026-03-03,Rent,-12.50')).lines).toHaveLength(2);
    expect((await read('Date,Text,Amount\n2026-03-02,Tea,-150\n2026-03-03,Rent,-12')).lines).toHaveLength(2);
    expect((await read('Date,Text,Amount\n2026-03-02,Tea,-1.50\n2026-03-03,Rent,-12\n')).lines).toHaveLength(2);
    expect((await read('Date,Text,Amount\n2026-03-02,Tea,-1.50\n2026-03-03,Rent,"-12"')).lines).toHaveLength(2);
  });
});

describe('amounts in another unit', () => {
  it.each([
    'Amount (cents)',
    'Amount (pence)',
    'Amount (minor units)',
    'Betrag TEUR',
    'Betrag in TEUR',
    'Betrag (T€)',
    'Amount in thousands',
    'Betrag in Tsd. EUR',
  ])('are refused: %s', async (name) => {
    await expect(read(`Date;Text;Amount;${name}\n2026-03-02;Tea;-150;-150\n`)).rejects.toMatchObject({ code: 'unit_not_supported' });
    await expect(read(`${name}\nDate;Text;Amount\n2026-03-02;Tea;-150\n`)).rejects.toMatchObject({ code: 'unit_not_supported' });
  });

  it.each(['Amount (EUR)', 'Amount (incl. VAT)', 'Cost centre', 'Percent'])('are read in their own: %s', async (name) => {
    await expect(read(`Date;Text;Betrag;${name}\n2026-03-02;Tea;-1,50;-1,50\n`)).resolves.toBeDefined();
  });
});

describe('a booking that a file has twice, with the id of the bank', () => {
  const table = (...rows: string[]) => read(['Date;Text;Amount;Transaction ID', ...rows, ''].join('\n'));

  it('counts once, and is told', async () => {
    const found = await table('2026-03-02;Tea;-1,50;A1', '2026-03-03;Rent;-9,00;A2', '2026-03-02;TEA;-1,50;A1');
    expect(found.lines.map(({ lineNumber, amount }) => [lineNumber, amount])).toEqual([
      [1, '-1.50'],
      [2, '-9.00'],
    ]);
    expect(warned(found, 'id_repeated')).toMatch(/^Booking 3: /);
  });

  it('counts twice if the day, the amount or the balance differs, and the former are told', async () => {
    const found = await table('2026-03-02;Tea;-1,50;A1', '2026-03-03;Tea;-1,50;A1', '2026-03-02;Tea;-2,50;A1', '2026-03-02;Tea;-1,50;');
    expect(found.lines).toHaveLength(4);
    expect(warned(found, 'id_reused')).toMatch(/^Bookings 2 and 3: /);
    const moved = await read('Date;Text;Amount;Transaction ID;Balance\n2026-03-02;Tea;-1,50;A1;98,50\n2026-03-02;Tea;-1,50;A1;97,00\n');
    expect(moved.lines).toHaveLength(2);
    expect(warned(moved, 'id_repeated')).toBe('');
  });
});

/** How many lines the warnings about rows that were left out name. */
function toldIn({ warnings }: Awaited<ReturnType<typeof read>>): number {
  const about = warnings.filter(({ code }) => ['not_booked', 'status_unknown', 'turnover_left_out', 'row_above_header'].includes(code));
  return about.reduce((sum, { message }) => {
    const [, count] = /^(\d+) lines/.exec(message) ?? [];
    return sum + (count === undefined ? message.split(':')[0]!.match(/\d+/g)!.length : Number(count));
  }, 0);
}

describe('a payment that is only authorised', () => {
  it.each(['Autorizzato', 'Autorizada', 'Autorisée', 'Authorised'])('is not booked, and known to be so: %s', async (word) => {
    const found = await read(`Date;Text;Status;Amount;Currency\n2026-03-02;Tea;${word};-1,50;EUR\n2026-03-03;Rent;;-2,50;EUR\n`);
    expect(found).toMatchObject({ certainty: 'plausible', lines: [{ amount: '-2.50' }], warnings: [{ code: 'not_booked' }] });
  });
});

describe('every row of a table with an amount', () => {
  const words = [
    'New Balance',
    'Carried Forward',
    'TOTAL ENERGIES',
    'Total',
    'Saldo',
    'Turnover',
    'Pending',
    'Tea',
    'Opening balance',
    'Date',
    'Amount',
  ];
  const word = fc.constantFrom(...words);
  const row = fc.record({
    date: fc.constantFrom('2026-03-02', '2026-03-30', '', 'Total', 'Pending'),
    party: fc.oneof(fc.constant(''), word),
    text: word,
    status: fc.constantFrom('', 'Booked', 'COMPLETED', 'Pending', 'Zzz', 'On hold'),
    amount: fc.constantFrom('-1.00', '-60.00', '1000.00'),
  });

  it.each(['Date;Counterparty;Text;Status;Amount', 'Date;Xyzzy;Text;Status;Amount'])(
    'is a booking, or named among those that were left out, or refuses the file: %s',
    async (header) => {
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
          const content = [header, ...rows.map((one) => Object.values(one).join(';'))].join('\n');
          const found = await read(`${content}\n`).catch((error: unknown) => {
            if (error instanceof JobFailure) return null;
            throw error;
          });
          // What balances prove to be complete has no rows to tell of.
          if (found && found.balances.length === 0) expect(found.lines.length + toldIn(found)).toBe(rows.length);
          if (found && found.lines.length === 0) expect(toldIn(found)).toBe(rows.length);
        }),
        { numRuns: 500 },
      );
    },
  );
});
