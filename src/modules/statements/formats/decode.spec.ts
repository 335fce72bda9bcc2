import { describe, expect, it } from 'vitest';
import { bookingsOf, codesOf, readAll } from './fixtures/reading.js';
import { utf16Of } from '../../../../tools/bank-files/index.js';
import { OFX_2 } from './fixtures/ofx.js';

const CSV = 'Date;Text;Amount;Currency\r\n2026-03-02;Café;-12,50;EUR\r\n2026-03-31;Ελιά;850,00;EUR\r\n';
const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('UTF-16', () => {
  it.each([
    ['with a mark', Buffer.from(`\ufeff${CSV}`, 'utf16le')],
    ['without a mark', Buffer.from(CSV, 'utf16le')],
    ['without a mark, the other way round', bigEndian(CSV)],
  ])('is read %s, in pieces of any size', async (_what, bytes) => {
    for (const size of [7, 64 * 1024]) {
      const read = await readAll(bytes, 'statement', size);
      expect(bookingsOf(read)).toEqual(['2026-03-02 -12.50 EUR', '2026-03-31 850.00 EUR']);
      expect(read.lines[1]!.description).toBe('Ελιά');
    }
  });

  it('is not what other files with zeros are', () => {
    expect(utf16Of(Buffer.from([0x47, 0, 0x03, 0, 0x08, 0, 0x41, 0]))).toBeNull();
    expect(utf16Of(Buffer.from(`${CSV}\0`))).toBeNull();
    expect(utf16Of(Buffer.concat([Buffer.from(CSV, 'utf16le'), bigEndian(CSV)]))).toBeNull();
    expect(utf16Of(Buffer.from(CSV))).toBeNull();
  });
});

it.each(['USASCII', 'us-ascii'])('a file that says it is %s is read in the encoding that it has', async (declared) => {
  const text = OFX_2.replace(/encoding="[^"]*"/i, `encoding="${declared}"`);
  expect(text).toContain(declared);
  for (const encoding of ['utf8', 'latin1'] as const)
    expect((await readAll(Buffer.from(text, encoding), 'a.ofx')).lines[0]!.counterparty).toBe('Blumen Möhre');
});

describe('a payment without the day on which it was booked', () => {
  const header = 'Transaction date;Booking date;Text;Amount;Currency;Balance\n';
  const booked = '2026-03-02;2026-03-03;Tea;-12,50;EUR;\n2026-03-13;2026-03-13;Rent;850,00;EUR;\n';
  const pending = '2026-03-31;;Books;-3,20;EUR;';

  it('is left out and told if others have it', async () => {
    const read = await readAll(header + booked + pending, 'a.csv');
    expect(read.lines).toHaveLength(2);
    expect(codesOf(read)).toContain('not_booked');
  });

  it('is booked if the file states the balance after it, or most others lack the day, too', async () => {
    expect((await readAll(`${header}${booked}${pending}834,30`, 'a.csv')).lines).toHaveLength(3);
    expect((await readAll(header + booked + `${pending}\n`.repeat(3).replaceAll(/Books/g, () => 'Bag'), 'a.csv')).lines).toHaveLength(5);
  });
});
