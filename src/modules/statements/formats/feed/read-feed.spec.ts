import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumOf } from '../../../../../tools/bank-files/index.js';
import { readAll } from '../fixtures/reading.js';
import { feedFile } from './read-feed.js';

const ACCOUNT = {
  account: 'DE02120300000000202051',
  currency: 'EUR',
  openingBalance: '100.00',
  closingBalance: '87.50',
  periodStart: '2026-01-01',
  periodEnd: '2026-01-31',
};
const BOOKING = { bookedOn: '2026-01-15', amount: '-12.50', description: 'Train to Berlin', counterparty: 'Rail', bankReference: 'b-1' };

const feed = (account: object = {}, booking: object = {}): Buffer => feedFile({ ...ACCOUNT, ...account }, [{ ...BOOKING, ...booking }]);

describe('a bank feed', () => {
  it('is read with its account, balances and days, and is proven by the balances', async () => {
    const read = await readAll(feed());
    expect(read).toMatchObject({
      format: 'feed',
      certainty: 'proven',
      warnings: [],
      period: { start: '2026-01-01', end: '2026-01-31' },
      balances: [{ account: 'DE02120300000000202051', currency: 'EUR', opening: '100.00', closing: '87.50' }],
    });
    expect(read.lines).toEqual([expect.objectContaining({ ...BOOKING, lineNumber: 1, currency: 'EUR', account: ACCOUNT.account })]);
  });

  it('is doubtful where its bookings do not make its closing balance', async () => {
    expect((await readAll(feed({ closingBalance: '87.51' }))).certainty).toBe('doubtful');
  });

  it('is read as it was written, whatever its texts and amounts are, and in whatever pieces it comes', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((some) => some.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim());
    const cents = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((value) => (value / 100).toFixed(2).replace(/^-0\.00$/, '0.00'));
    const booking = fc.record({ bookedOn: fc.constant('2026-01-15'), amount: cents, description: text });
    await fc.assert(
      fc.asyncProperty(fc.array(booking, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 300 }), async (bookings, size) => {
        const closingBalance = sumOf(['100.00', ...bookings.map(({ amount }) => amount)])!;
        const { lines, certainty } = await readAll(feedFile({ ...ACCOUNT, closingBalance }, bookings), 'x', size);
        expect(lines.map(({ bookedOn, amount, description }) => ({ bookedOn, amount, description }))).toEqual(bookings);
        expect(certainty).toBe('proven');
      }),
    );
  });

  it.each([
    ['invalid_date', 'Line 2', feed({}, { bookedOn: '2026-02-30' })],
    ['invalid_amount', 'Line 2', feed({}, { amount: '12,50' })],
    ['invalid_amount', 'balance', feed({ openingBalance: '1e3' })],
    ['invalid_date', 'periodStart', feed({ periodEnd: '2025-12-31' })],
    ['invalid_line', 'Line 3', Buffer.concat([feed(), Buffer.from('[]')])],
    ['invalid_line', 'Line 3', Buffer.concat([feed(), Buffer.from('{"bookedOn"')])],
    ['invalid_line', 'not known', Buffer.concat([feed(), Buffer.from('{"amounts":"1"}')])],
    ['invalid_line', 'in amount', Buffer.concat([feed(), Buffer.from('{"amount":-12.5}')])],
    ['format_not_supported', 'version', Buffer.from('{"bankFeed":2}')],
  ])('that is wrong fails with %s and the place: %s', async (code, place, file) => {
    await expect(readAll(file)).rejects.toMatchObject({ code, message: expect.stringContaining(place) as string });
  });
});
