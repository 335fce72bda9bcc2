import { describe, expect, it } from 'vitest';
import { CAMT_2 } from './fixtures/camt.js';
import { GERMAN } from './fixtures/mt940.js';
import { OFX_2 } from './fixtures/ofx.js';
import { codesOf, readAll } from './fixtures/reading.js';

describe('a statement that was read has a warning', () => {
  it('if its bookings do not lead from the opening to the closing balance', async () => {
    for (const [statement, from, to] of [
      [GERMAN, 'EUR915,80', 'EUR915,81'],
      [CAMT_2, '>20.5</Amt>', '>20.49</Amt>'],
    ] as const) {
      expect(codesOf(await readAll(statement))).toEqual([]);
      expect(codesOf(await readAll(statement.replace(from, to)))).toEqual(['balances_do_not_tie']);
    }
  });

  it('if a booking has a year before 1990 or after next year, with the number of the first', async () => {
    for (const year of ['1989', '2028']) {
      const { warnings } = await readAll(OFX_2.replace('<DTPOSTED>2024', `<DTPOSTED>${year}`));
      expect(warnings).toEqual([{ code: 'unlikely_year', message: 'Booking 1 has a year before 1990 or after 2027.' }]);
    }
    for (const year of ['1990', '2027']) expect(codesOf(await readAll(OFX_2.replace('<DTPOSTED>2024', `<DTPOSTED>${year}`)))).toEqual([]);
  });
});
