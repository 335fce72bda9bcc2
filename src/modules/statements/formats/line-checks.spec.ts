import { describe, expect, it } from 'vitest';
import { CAMT_2 } from './fixtures/camt.js';
import { DUTCH, GERMAN } from './fixtures/mt940.js';
import { OFX_2 } from './fixtures/ofx.js';
import { codesOf, readAll } from './fixtures/reading.js';

const booked = (...parts: readonly (readonly [opening: string, closing: string, ...amounts: string[]])[]): string =>
  parts
    .map(([opening, closing, ...amounts]) =>
      [
        ':20:X',
        ':25:NL91ABNA0417164300',
        `:60F:C260101EUR${opening}`,
        ...amounts.map((amount) => `:61:260102${amount}NMSCX`),
        `:62F:C260131EUR${closing}`,
        '-',
      ].join('\n'),
    )
    .join('\n');

describe('a statement that was read has a warning', () => {
  it('if its bookings do not lead from the opening to the closing balance', async () => {
    for (const [statement, from, to] of [
      [GERMAN, 'EUR915,80', 'EUR915,81'],
      [CAMT_2, '>20.5</Amt>', '>20.49</Amt>'],
    ] as const) {
      expect(codesOf(await readAll(statement))).toEqual(['not_booked']);
      expect(codesOf(await readAll(statement.replace(from, to)))).toEqual(['not_booked', 'balances_do_not_tie']);
    }
  });

  it('if a statement between two others is missing, or one is there twice, though each of them ties', async () => {
    const [first, second, third] = [
      ['10,', '30,', 'C20,'],
      ['30,', '25,', 'D5,'],
      ['25,', '75,', 'C50,'],
    ] as const;
    for (const whole of [
      [first, second, third],
      [third, second, first],
      [third, first, second],
    ])
      expect(codesOf(await readAll(booked(...whole)))).toEqual([]);
    for (const broken of [
      [first, third],
      [third, first],
      [first, second, second, third],
    ])
      expect(codesOf(await readAll(booked(...broken)))).toEqual(['balances_do_not_tie']);
  });

  it('or is only plausible if it does not state both balances of each account, so that a missing booking is not noticed', async () => {
    for (const whole of [OFX_2, CAMT_2.replace('<Cd>CLBD</Cd>', '<Cd>CLAV</Cd>').replace('PDNG', 'INFO')])
      expect(await readAll(whole)).toMatchObject({ certainty: 'plausible', warnings: [] });
    const inDollars = CAMT_2.replace('<Ntry><Amt Ccy="EUR">9.00', '<Ntry><Amt Ccy="USD">9.00').replace('PDNG', 'BOOK');
    expect(await readAll(inDollars)).toMatchObject({ certainty: 'plausible', warnings: [] });
    expect(await readAll(DUTCH)).toMatchObject({ certainty: 'proven', warnings: [] });
  });

  it('if its bookings have no currency, unless the import says which', async () => {
    const without = OFX_2.replace('<CURDEF>EUR</CURDEF>', '');
    expect((await readAll(without)).warnings[0]).toEqual({
      code: 'currency_unknown',
      message: 'Booking 1 has no known currency. Import the file with its currency.',
    });
    expect(codesOf(await readAll(without, 'a', undefined, { currency: 'EUR' }))).toEqual([]);
  });

  it('if a booking has a year before 1990 or after next year, with the number of the first', async () => {
    for (const year of ['1989', '2028']) {
      const { warnings } = await readAll(OFX_2.replace('<DTPOSTED>2024', `<DTPOSTED>${year}`));
      expect(warnings.at(-1)).toEqual({ code: 'unlikely_year', message: 'Booking 1 has a year before 1990 or after 2027.' });
    }
    for (const year of ['1990', '2027'])
      expect(codesOf(await readAll(OFX_2.replace('<DTPOSTED>2024', `<DTPOSTED>${year}`)))).not.toContain('unlikely_year');
  });
});
