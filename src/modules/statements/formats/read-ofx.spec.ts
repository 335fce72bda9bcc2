import { describe, expect, it } from 'vitest';
import { OFX_1, OFX_2 } from './fixtures/ofx.js';
import { bookingsOf, readAll } from './fixtures/reading.js';
import { amountOf } from '../../../../tools/bank-files/ofx/read-ofx.js';

describe('OFX 1', () => {
  it('may have a short header, as converters write it', async () => {
    const short = OFX_1.replace('OFXHEADER:100\n', '');
    expect((await readAll(short)).lines).toEqual((await readAll(OFX_1)).lines);
  });

  it('is read without closing tags: bank and card transactions in order, on the day that the bank wrote', async () => {
    const read = await readAll(OFX_1);
    expect(read.format).toBe('ofx');
    expect(bookingsOf(read)).toEqual(['2024-03-29 -6.60 CAD', '2024-03-30 -1234.50 CAD', '2024-03-01 2.50 CAD']);
    expect(read.lines[0]).toMatchObject({
      account: '0042 17',
      description: 'Lunch 3 < 4',
      counterparty: 'Café Érable & Fils',
      reference: null,
      bankReference: 'A1',
    });
    expect(read.lines[1]).toMatchObject({
      description: 'Ida Kranz',
      counterparty: 'Ida Kranz',
      counterpartyAccount: 'DE02500105170137075030',
      counterpartyAddress: '1 Mill Lane, Guelph',
      reference: '319',
    });
    expect(read.lines[2]).toMatchObject({ account: '4000-17', description: 'FEE', counterparty: null, reference: '77' });
  });

  it('says which lines were paid by card: by the type, the trade of the merchant, or the account', async () => {
    const { lines } = await readAll(OFX_1.replace('<TRNTYPE>CHECK', '<TRNTYPE>DEBIT<SIC>5411'));
    expect(lines.map(({ isCardPayment }) => isCardPayment)).toEqual([true, true, true]);
    expect((await readAll(OFX_1)).lines.map(({ isCardPayment }) => isCardPayment)).toEqual([true, undefined, true]);
  });

  it('has the closing balance of each account, and the period of the file', async () => {
    const { balances, period } = await readAll(OFX_1);
    expect(balances).toEqual([
      { account: '0042 17', currency: 'CAD', opening: null, closing: '382.34' },
      { account: '4000-17', currency: 'CAD', opening: null, closing: '-12.00' },
    ]);
    expect(period).toEqual({ start: '2024-02-15', end: '2024-03-31' });
  });

  it('is read in its actual encoding, whatever its header says', async () => {
    const latin = Buffer.from(OFX_1, 'latin1');
    expect((await readAll(latin)).lines).toEqual((await readAll(OFX_1)).lines);
    const cyrillic = Buffer.concat([
      Buffer.from(OFX_1.slice(0, OFX_1.indexOf('Café')).replace('1252', '1251')),
      Buffer.from([0xcc, 0xe8, 0xf0]),
      Buffer.from(OFX_1.slice(OFX_1.indexOf('<MEMO>')), 'latin1'),
    ]);
    expect((await readAll(cyrillic)).lines[0]!.counterparty).toBe('Мир');
  });

  it('is read even if a transaction is not closed', async () => {
    expect(bookingsOf(await readAll(OFX_1.replaceAll('</STMTTRN>', '')))).toHaveLength(3);
  });
});

describe('OFX 2', () => {
  it('is read like OFX 1; transactions in comments are ignored, and CDATA is text', async () => {
    const read = await readAll(OFX_2);
    expect(bookingsOf(read)).toEqual(['2024-03-05 -12.00 EUR', '2024-03-06 30.00 USD']);
    expect(read.lines.map(({ description, counterparty }) => [description, counterparty])).toEqual([
      ['Tulpen <rot> & weiß', 'Blumen Möhre'],
      ['Refund', null],
    ]);
  });
});

it.each(['R$ 1.234,56', 'EUR 1234.56', '€1234.56', '$1,234.56'])('reads a balance with its currency before it: %s', async (balance) => {
  const read = await readAll(OFX_1.replace('<BALAMT>382,34', `<BALAMT>${balance}`));
  expect(read.balances[0]).toMatchObject({ closing: '1234.56' });
});

it('warns of pending transactions, which are left out', async () => {
  const pending = '<BANKTRANLISTP><STMTTRNP><TRNAMT>-7</TRNAMT></STMTTRNP></BANKTRANLISTP></STMTRS>';
  const read = await readAll(OFX_2.replace('</STMTRS>', pending));
  expect(read.lines).toHaveLength(2);
  expect(read.warnings[0]).toEqual({ code: 'not_booked', message: '1 payment, pending transaction 1, is not booked, and left out.' });
});

describe('invalid OFX fails', () => {
  it.each([
    ['statement_missing', 'STMTRS', 'OTHERRS'],
    ['format_not_supported', '</STMTTRNRS>', '</STMTTRNRS><INVSTMTTRNRS><INVSTMTRS></INVSTMTRS></INVSTMTTRNRS>'],
    ['invalid_date', '20240305120000', 'soon'],
    ['invalid_date', '20240305120000', '20240230'],
    ['invalid_amount', '-12.00', 'twelve'],
    ['invalid_amount', '<TRNAMT>-12.00</TRNAMT>', ''],
    ['ambiguous_amount', '-12.00', '-1,200'],
    ['incomplete_file', '</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>', ''],
  ])('with %s if %s is replaced', async (code, from, to) => {
    await expect(readAll(OFX_2.replaceAll(from, to))).rejects.toMatchObject({ code });
  });
});

it('OFX with a value that never ends fails', async () => {
  await expect(readAll(OFX_2.replace('Refund', 'x'.repeat(1_500_000)))).rejects.toMatchObject({ code: 'invalid_markup' });
});

describe('an amount', () => {
  it.each([
    ['1', '1.00'],
    ['+1.5', '1.50'],
    ['-,5', '-0.50'],
    ['-1,234.50', '-1234.50'],
    ['1.234,50', '1234.50'],
    ['1 234,50', '1234.50'],
    ['0,125', '0.125'],
    ['1.125', '1.125'],
  ])('is read from %j as %s', (text, amount) => {
    expect(amountOf(text, 'Here', 'it')).toBe(amount);
  });

  it.each(['', '-', '.', '1.2.3', '12,34.5', '1,23,4', '--1', '1e5', '1'.repeat(19)])('is not read from %j', (text) => {
    expect(() => amountOf(text, 'Here', 'it')).toThrow('Here has no valid amount in it.');
  });
});
