import { describe, expect, it } from 'vitest';
import { bookingsOf, codesOf, readAll } from '../fixtures/reading.js';

const HEADER = 'Date;Text;Amount;Currency;Payee;Reference;Note\n';
const ROWS = '2026-03-02;Tea;-12,50;EUR;Kiosk\n2026-03-13;Rent;850,40;EUR\n2026-03-31;Books;-3,20;EUR;Shop;R-1\n';

const failureOf = (content: string) => readAll(content, 'a.csv').catch((error: { code: string }) => error);

describe('rows that end after their last filled cell', () => {
  it('have empty cells after it', async () => {
    const read = await readAll(HEADER + ROWS, 'a.csv');
    expect(bookingsOf(read)).toEqual(['2026-03-02 -12.50 EUR', '2026-03-13 850.40 EUR', '2026-03-31 -3.20 EUR']);
    expect(read.lines.map(({ counterparty, reference }) => [counterparty, reference])).toEqual([
      ['Kiosk', null],
      [null, null],
      ['Shop', 'R-1'],
    ]);
    expect(codesOf(read)).toEqual([]);
  });

  it.each([
    ['most rows are whole', `${ROWS}${'2026-03-31;Books;-3,20;EUR;Shop;R-1;N\n'.repeat(3)}`],
    ['rows of several widths end with empty cells', ROWS.replace('Kiosk', 'Kiosk;')],
    ['a row lacks what makes it a booking', `${ROWS}2026-03-31;Books;-3,20\n`],
  ])('refuse the file if %s', async (_what, rows) => {
    expect(await failureOf(HEADER + rows)).toMatchObject({ code: 'row_does_not_fit' });
  });

  it('refuse the file if a cell has moved', async () => {
    expect(await failureOf(`${HEADER}${ROWS}2026-03-31;-3,20;EUR;Shop;R-1\n`)).toMatchObject({ code: 'invalid_amount' });
  });

  it('refuse the file if a moved cell would be an amount: the balance, where a text is missing', async () => {
    const header = 'Date;Text;Amount;Balance;Payee;Note\n';
    const rows = '2026-03-02;Tea;-12,50;87,50;Kiosk\n2026-03-13;Rent;-7,50;80,00\n2026-03-14;Cake;-10,00;70,00\n';
    expect(bookingsOf(await readAll(header + rows, 'a.csv', undefined, { currency: 'EUR' }))).toHaveLength(3);
    expect(await failureOf(`${header}${rows}2026-03-31;-3,20;66,80;;N\n`)).toMatchObject({ code: 'row_does_not_fit' });
  });

  it('refuse a file that ends within the last amount of such a row', async () => {
    const header = 'Date;Text;Currency;Amount;Payee\n';
    const whole = '2026-03-02;Tea;EUR;-12,50\n2026-03-13;Rent;EUR;-850,40\n2026-03-31;Books;EUR;-113,20';
    expect(bookingsOf(await readAll(header + whole, 'a.csv'))).toHaveLength(3);
    for (let cut = 1; cut < '113,20'.length; cut += 1)
      expect(await failureOf(header + whole.slice(0, -cut)), `${cut} characters less`).toMatchObject({ code: 'incomplete_file' });
    // Without decimals above it, nothing shows that the number is whole.
    const plain = header + whole.replaceAll(/,\d\d/g, '');
    expect(await failureOf(plain)).toMatchObject({ code: 'incomplete_file' });
    expect(bookingsOf(await readAll(`${plain}\n`, 'a.csv'))).toHaveLength(3);
  });
});
