import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DUTCH, FREE, GERMAN, MT942 } from './fixtures/mt940.js';
import { bookingsOf, codesOf, readAll } from './fixtures/reading.js';
import { bookingOf, informationOf } from '../../../../tools/bank-files/mt940/booking.js';

it('is refused if it opens in one currency and closes in another, which proves nothing', async () => {
  const file = ':20:1\n:25:NL91ABNA0417164300\n:28C:1\n:60F:C260301EUR100,00\n:62F:C260302USD100,00\n-\n';
  await expect(readAll(file)).rejects.toMatchObject({ code: 'balances_contradict', message: expect.stringMatching(/line 5/) as string });
  expect((await readAll(file.replace('USD', 'EUR'))).certainty).toBe('proven');
});

describe('an MT940', () => {
  it('of a German bank has payee and purpose in numbered fields; expected entries are left out', async () => {
    const read = await readAll(GERMAN);
    expect(bookingsOf(read)).toEqual(['2024-01-02 -84.20 EUR', '2024-01-02 20.00 EUR', '2024-01-03 -20.00 EUR']);
    expect(read.lines[0]).toEqual({
      lineNumber: 1,
      account: '37040044/0532013000',
      bookedOn: '2024-01-02',
      amount: '-84.20',
      currency: 'EUR',
      description: 'Abschlag Strom fuer die Wohnung im Hof',
      counterparty: 'Stadtwerke Muellerberg',
      counterpartyAccount: 'DE02120300000000202051',
      counterpartyAddress: null,
      reference: 'RF-2024-1',
      bankReference: 'BR-1',
    });
    expect(read.balances).toMatchObject([{ account: '37040044/0532013000', currency: 'EUR', opening: '1000.00', closing: '915.80' }]);
  });

  it('of a Dutch bank has payee and purpose after words between slashes; continued messages are one statement', async () => {
    const read = await readAll(DUTCH);
    expect(bookingsOf(read)).toEqual(['2024-03-05 50.00 EUR', '2024-03-05 -1.75 EUR']);
    expect(read.lines[0]).toMatchObject({
      account: 'NL91ABNA0417164300',
      description: 'Lunch/2 personen',
      counterparty: 'J. Bloem',
      counterpartyAccount: 'NL20INGB0001234567',
      counterpartyAddress: 'Dorpsstraat 1 Breda',
      reference: 'INV 17',
      bankReference: '000101',
    });
    expect(read.lines[1]).toMatchObject({
      description: 'Brood',
      counterparty: 'Bakker',
      counterpartyAccount: 'NL20INGB0001234567',
      counterpartyAddress: 'Breda',
      reference: null,
    });
    expect(read.balances).toMatchObject([{ account: 'NL91ABNA0417164300', currency: 'EUR', opening: '-12.00', closing: '36.25' }]);
  });

  it('with free text is read as it is; a booking without text has that of its second line', async () => {
    const { lines } = await readAll(FREE);
    expect(lines.map(({ description, reference, counterparty }) => [description, reference, counterparty])).toEqual([
      ['RENTE OVER JANUARI', null, null],
      ['Cheque paid', '00123', null],
    ]);
  });

  it.each([
    ['invalid_line', ':61:240102CR20,NTRF', ':61:240102XX20,NTRF', 10],
    ['invalid_date', ':61:240102CR', ':61:240230CR', 10],
    ['invalid_amount', 'CR20,', `CR${'9'.repeat(17)},`, 10],
    ['invalid_amount', 'C240103EUR915,80', 'C240103EUReight', 14],
  ])('fails with %s and the line number', async (code, from, to, line) => {
    await expect(readAll(GERMAN.replace(from, to))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`line ${line} `) as string,
    });
  });

  it('with a line that never ends fails', async () => {
    await expect(readAll(`${GERMAN}${'x'.repeat(200_000)}`)).rejects.toMatchObject({ code: 'invalid_line' });
  });

  it('that was cut off fails as incomplete', async () => {
    for (const end of [':62F:', ':61:240103RC'])
      await expect(readAll(GERMAN.slice(0, GERMAN.indexOf(end)))).rejects.toMatchObject({ code: 'incomplete_file' });
  });
});

describe('the information of an MT940', () => {
  it('may stand in several :86: of one booking; it is joined, and the :86: after the balance belongs to none', async () => {
    for (const code of ['', '166']) {
      const several = GERMAN.replace('?20Danke?32Ida Kranz', `?20Danke fuer\n:86:${code}?21alles?32Ida Kranz`);
      const read = await readAll(`${several.trimEnd().slice(0, -1)}:86:Kontoabschluss\n-\n`);
      expect(read.lines).toHaveLength(3);
      expect(read.lines[1]).toMatchObject({ description: 'Danke fuer alles', counterparty: 'Ida Kranz' });
    }
    const free = FREE.replace('OVER JANUARI', ':86:OVER JANUARI');
    expect((await readAll(free)).lines[0]!.description).toBe('RENTE OVER JANUARI');
  });
});

describe('an MT942', () => {
  it('is read without balances, with the currency of its floor limit and a warning that it is not final', async () => {
    const read = await readAll(MT942);
    expect(read.format).toBe('mt942');
    expect(bookingsOf(read)).toEqual(['2024-01-03 -84.20 EUR', '2024-01-03 20.00 EUR', '2024-01-03 7.00 CHF']);
    expect(read.lines.map(({ account }) => account?.slice(-3))).toEqual(['000', '000', '999']);
    expect(read.balances).toMatchObject([]);
    expect(codesOf(read)).toEqual(['interim_report']);
  });

  it('warns of a floor limit, and of totals that its bookings do not make', async () => {
    const floored = await readAll(MT942.replace(':34F:EURD0,', ':34F:EURD100,'));
    expect(codesOf(floored)).toEqual(['interim_report', 'floor_limit']);
    for (const [from, to] of [
      [':90D:1EUR84,2', ':90D:1EUR84,3'],
      [':90C:1EUR20,', ':90C:2EUR20,'],
    ] as const)
      expect(codesOf(await readAll(MT942.replace(from, to)))).toEqual(['interim_report', 'totals_do_not_tie']);
    // Banks differ in whether totals include what is expected.
    const expected = await readAll(MT942.replace(':61:2401030103CR', ':61:2401030103EC'));
    expect(codesOf(expected)).toEqual(['interim_report', 'not_booked']);
  });

  it('that follows an MT940 in the same file is known as interim', async () => {
    const read = await readAll(`${GERMAN}${MT942}`);
    expect(read.format).toBe('mt940');
    // Its bookings are not in the balances.
    expect(codesOf(read)).toEqual(['interim_report', 'not_booked', 'balances_do_not_tie']);
    expect(read.lines).toHaveLength(6);
    expect(codesOf(await readAll(GERMAN))).toEqual(['not_booked']);
  });
});

describe('a booking', () => {
  it.each([
    ['240105C1,NMSC', '1.00'],
    ['240105D1,5NMSC', '-1.50'],
    ['240105RC1,NMSC', '-1.00'],
    ['240105RD1,NMSC', '1.00'],
    ['2401050105CR10,NTRF', '10.00'],
    ['240105D10.25S005ABC', '-10.25'],
    ['240105C000000000000,00NMSC', '0.00'],
    ['240105    D65,00NOVBX', '-65.00'],
    ['240105    DD212,39NMSC', '-212.39'],
  ])('%s has the amount %s', (line, amount) => {
    expect(bookingOf([line])).toMatchObject({ amount });
  });

  it.each([
    ['2312310102', '2024-01-02'],
    ['2401021231', '2023-12-31'],
    ['2403010229', '2024-02-29'],
    ['2402290301', '2024-03-01'],
    ['240610', '2024-06-10'],
    ['2302300301', '2023-03-01'],
    ['2402300229', '2024-02-29'],
    ['2504310430', '2025-04-30'],
  ])('%s was entered on %s', (dates, bookedOn) => {
    expect(bookingOf([`${dates}C1,NMSC`])).toMatchObject({ bookedOn });
  });

  it.each(['230230', '2313010301', '2301000103', '2302280230', '2302280229'])(
    '%s has no date: one without an entry date needs its value date, and the entry date has to exist',
    (dates) => {
      expect(bookingOf([`${dates}C1,NMSC`])).toBe('invalid_date');
    },
  );

  it('is entered within half a year of its value date', () => {
    const days = fc.integer({ min: 0, max: 365 * 50 }).map((days) => new Date(Date.UTC(2020, 0, 1) + days * 86_400_000));
    fc.assert(
      fc.property(days, fc.integer({ min: -170, max: 170 }), (value, distance) => {
        const entry = new Date(value.getTime() + distance * 86_400_000).toISOString().slice(0, 10);
        fc.pre(!entry.endsWith('02-29'));
        const written = `${value.toISOString().slice(2, 10)}${entry.slice(4)}`.replaceAll('-', '');
        expect(bookingOf([`${written}C1,NMSC`])).toMatchObject({ bookedOn: entry });
      }),
    );
  });

  it('may have a value date that does not exist, such as 30 February, if its entry date does', () => {
    expect(bookingOf(['2402300228D1,50NTRFX'])).toMatchObject({ bookedOn: '2024-02-28' });
    expect(bookingOf(['2402300230D1,50NTRFX'])).toBe('invalid_date');
    expect(bookingOf(['2413010228D1,50NTRFX'])).toBe('invalid_date');
  });

  it('has the references of both sides, unless they say that there is no reference', () => {
    expect(bookingOf(['240105C1,NTRFINV 7//B-1', 'more'])).toMatchObject({ reference: 'INV 7', bankReference: 'B-1', supplement: 'more' });
    expect(bookingOf(['240105C1,NTRFNONREF'])).toMatchObject({ reference: null, bankReference: null, supplement: null });
  });
});

describe('the information of a booking', () => {
  it('is joined across lines, without a space after a full line', () => {
    const full = 'x'.repeat(65);
    expect(informationOf([full, 'y', 'z'])).toMatchObject({ description: `${full}y z` });
    expect(informationOf([`166?20${'a'.repeat(27)}?21b?22c`])).toMatchObject({ description: `${'a'.repeat(27)}b c` });
  });

  it('may have other separators than question marks, and no keys', () => {
    expect(informationOf(['116>20EREF+NOTPROVIDED>21SVWZ+Tea>32Ida>33 Kranz'])).toMatchObject({
      description: 'Tea',
      reference: null,
      counterparty: 'Ida Kranz',
    });
    for (const separator of ['~', '^', '<', '@'])
      expect(informationOf(['020?20FAKTURA 7?32ANNA?33KRANZ'.replaceAll('?', separator)])).toMatchObject({
        description: 'FAKTURA 7',
        counterparty: 'ANNA KRANZ',
      });
    expect(informationOf(['999?00ZINSEN'])).toMatchObject({ description: 'ZINSEN', counterparty: null });
    expect(informationOf(['/not/a key'])).toMatchObject({ description: '/not/a key', counterparty: null });
    expect(informationOf([])).toMatchObject({ description: '' });
  });
});

describe('the period of an MT940', () => {
  const message = (opened: string, closed: string, ...booked: string[]) =>
    [':20:1', ':25:DE89370400440532013000', ':28C:1', `:60F:C${opened}EUR100,00`, ...booked, `:62F:C${closed}EUR100,00`, '-', ''].join(
      '\r\n',
    );
  const periodOf = async (...messages: string[]) => {
    const { period, balances } = await readAll(messages.join(''));
    expect(balances.at(-1)!.period?.end).toBe(period?.end);
    return period;
  };

  it('begins on the day after the opening balance, which is of the end of a day, and needs no bookings', async () => {
    expect(await periodOf(message('251231', '260131'))).toEqual({ start: '2026-01-01', end: '2026-01-31' });
  });

  it('begins on the day of the opening balance if the bank states the first day there', async () => {
    expect(await periodOf(message('260102', '260102'))).toEqual({ start: '2026-01-02', end: '2026-01-02' });
    expect(await periodOf(message('260101', '260131', ':61:2601010101D5,00NMSCX', ':61:2601010101C5,00NMSCX'))).toMatchObject({
      start: '2026-01-01',
    });
  });

  it('is that of all messages of a continued statement', async () => {
    expect(await periodOf(message('251231', '260115'), message('260115', '260131'))).toEqual({ start: '2026-01-01', end: '2026-01-31' });
  });
});

describe('amounts without a comma', () => {
  const message = (booking: string, closing: string) =>
    [':20:1', ':25:NL91ABNA0417164300', ':28C:1', ':60F:C260301EUR1000', `:61:260302${booking}NTRF`, `:62F:C260302EUR${closing}`, '-'].join(
      '\n',
    );

  it('are whole units if another amount shows it', async () => {
    expect(bookingsOf(await readAll(message('d20,5', '979,5')))).toEqual(['2026-03-02 -20.50 EUR']);
    expect(bookingsOf(await readAll(message('D20', '980,')))).toEqual(['2026-03-02 -20.00 EUR']);
  });

  it('may be in cents if none has it, so the file is refused with the first line', async () => {
    await expect(readAll(message('D20', '980'))).rejects.toMatchObject({
      code: 'ambiguous_amount',
      message: 'Line 4 has an amount without a comma, as all others: they may be in cents.',
    });
  });
});
