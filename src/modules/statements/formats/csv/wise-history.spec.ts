import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bookingsOf, codesOf, readAll } from '../fixtures/reading.js';
import { parseLayout } from './layouts/written-layout.js';

const HISTORY = readFileSync(new URL('../../../../../test/statements/fintech/wise-transaction-history.csv', import.meta.url), 'utf8');
const changed = (from: string, to: string): string => {
  expect(HISTORY).toContain(from);
  return HISTORY.replace(from, to);
};

describe('the transaction history of Wise', () => {
  it('has what was sent with its fee, or what was received; conversions and fees in another currency are bookings', async () => {
    expect(bookingsOf(await readAll(HISTORY, 'a.csv'))).toEqual([
      '2026-03-31 -84.61 EUR',
      '2026-03-13 -500.00 EUR',
      '2026-03-13 -1.20 GBP',
      '2026-03-13 586.46 USD',
      '2026-03-02 1250.00 EUR',
    ]);
  });

  it('leaves out what is pending, refunded or has a status that is not known, and tells each', async () => {
    const { warnings } = await readAll(changed('COMPLETED,IN', 'PARKED,IN'), 'a.csv');
    expect(warnings).toMatchObject([
      { code: 'not_booked', message: 'Lines 2 and 4: not marked as booked, and left out.' },
      { code: 'status_unknown', message: expect.stringMatching(/^Line 6:/) as string },
    ]);
  });

  it('keeps rows that share an id: a payment may be made from two balances', async () => {
    const row = HISTORY.split('\n')[2]!;
    const second = row.replace('84.20,EUR', '15.70,GBP').replace('0.41,EUR', '0.00,GBP');
    expect(codesOf(await readAll(HISTORY.replace(row, `${row}\n${second}`), 'a.csv'))).not.toContain('id_repeated');
  });

  it.each([
    ['direction_unknown', 'COMPLETED,OUT', 'COMPLETED,SIDE'],
    ['invalid_amount', '84.20,EUR', '8x.20,EUR'],
    ['invalid_amount', '84.20,EUR', ',EUR'],
    ['row_does_not_fit', '"Example Books"', 'Example, Books'],
    ['invalid_date', '"2026-03-31 09:00:00"', '"31st of March"'],
  ])('is refused with its line: %s', async (code, from, to) => {
    await expect(readAll(changed(from, to), 'a.csv')).rejects.toMatchObject({ code, message: expect.stringMatching(/ine 3 /) as string });
  });

  it('is read by a layout if somebody has written one for it', async () => {
    const header = HISTORY.split('\n')[0]!.replaceAll('"', '').split(',');
    const columns = { 'Created on': 'date', 'Target amount (after fees)': 'amount', 'Target currency': 'currency' };
    const layout = parseLayout(JSON.stringify({ name: 'history', columns, header }));
    const kept = await readAll(HISTORY, 'a.csv', undefined, { layouts: [layout] });
    expect(kept.layout).toEqual({ name: 'history', from: 'organization' });
  });
});

it('the statement of a balance of Wise has its fees in the amounts, also where no balance proves it', async () => {
  const known = ['TransferWise ID', 'Date', 'Amount', 'Currency', 'Description', 'Payment Reference', 'Running Balance', 'Exchange From'];
  const header = [...known, 'Exchange To', 'Exchange Rate', 'Payer Name', 'Payee Name', 'Payee Account Number', 'Merchant'];
  const ofCard = ['Card Last Four Digits', 'Card Holder Full Name', 'Attachment', 'Note', 'Total fees'];
  const row = 'TRANSFER-7,13-03-2026,-100.60,EUR,Sent money to Ida Kranz,Tea,399.40,,,,,Ida Kranz,,,,,,,0.60';
  const shipped = await readAll(`${[...header, ...ofCard].join()}\n${row}\n`, 'a.csv');
  expect([bookingsOf(shipped), shipped.layout?.name]).toEqual([['2026-03-13 -100.60 EUR'], 'fintech/wise']);
  const other = await readAll(`Date Time,${[...header, ...ofCard].join()}\n13-03-2026 09:12:01,${row}\n`, 'a.csv');
  expect([bookingsOf(other), other.layout]).toEqual([['2026-03-13 -100.60 EUR'], null]);
});
