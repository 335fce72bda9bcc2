import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookingsOf, readAll, type Read } from '../fixtures/reading.js';

const read = (content: string) => readAll(content, 'a.csv');
const warned = ({ warnings }: Read, code: string): string | undefined => warnings.find((warning) => warning.code === code)?.message;
const HEADER = 'Date,Description,Amount,Currency,Balance\n';

describe('balances tie', () => {
  const endOfDay = [
    '2026-03-02,a,-1.00,EUR,97.00',
    '2026-03-02,b,-2.00,EUR,97.00',
    '2026-03-03,c,6.00,EUR,102.00',
    '2026-03-03,d,-1.00,EUR,102.00',
  ];
  it.each([
    ['from the oldest booking down', '2026-03-02,a,-1.00,EUR,99.00\n2026-03-03,b,-2.00,EUR,97.00\n2026-03-04,c,5.00,EUR,102.00'],
    ['from the newest booking down', '2026-03-04,c,5.00,EUR,102.00\n2026-03-03,b,-2.00,EUR,97.00\n2026-03-02,a,-1.00,EUR,99.00'],
    ['with the bookings of a day in any order', '2026-03-02,a,-1.00,EUR,99.00\n2026-03-03,c,5.00,EUR,102.00\n2026-03-03,b,-2.00,EUR,97.00'],
    ['sorted by another date', '2026-03-04,c,5.00,EUR,102.00\n2026-03-02,a,-1.00,EUR,99.00\n2026-03-03,b,-2.00,EUR,97.00'],
    ['on a single day in any order', '2026-03-03,a,-1.00,EUR,99.00\n2026-03-03,c,5.00,EUR,102.00\n2026-03-03,b,-2.00,EUR,97.00'],
    ['printed once a day', '2026-03-02,a,-1.00,EUR,\n2026-03-02,b,-2.00,EUR,97.00\n2026-03-03,c,5.00,EUR,102.00'],
    ['printed as of the end of the day', endOfDay.join('\n')],
    ['as of the end of the day, newest first', endOfDay.toReversed().join('\n')],
  ])('%s', async (_how, rows) => {
    const result = await read(`${HEADER}${rows}\n`);
    expect(result.warnings).toEqual([]);
    expect(result.balances).toEqual([{ account: null, currency: 'EUR', opening: '100.00', closing: '102.00' }]);
  });

  it('by account and currency, in whatever order their rows are mixed', async () => {
    const result = await read(`${HEADER}2026-03-02,a,-1.00,EUR,99.00\n2026-03-02,x,5.00,USD,25.00\n2026-03-03,b,-2.00,EUR,97.00\n`);
    expect(result.warnings).toEqual([]);
    expect(result.balances).toHaveLength(2);
  });

  it('with a balance brought forward, so a missing first booking is noticed', async () => {
    const rows = ['2026-03-01,Brought forward,,EUR,100.00', '2026-03-02,a,-1.00,EUR,99.00', '2026-03-03,b,-2.00,EUR,97.00'];
    expect((await read(`${HEADER}${rows.join('\n')}\n`)).warnings).toEqual([]);
    const opening = '2026-03-01,Start,,EUR,100.00';
    expect((await read(`${HEADER}${[opening, ...rows.slice(1)].join('\n')}\n`)).warnings).toEqual([]);
    expect(warned(await read(`${HEADER}${opening}\n${rows[2]}\n`), 'balances_do_not_tie')).toContain('line 3');
  });
});

describe('balances that do not tie', () => {
  it('are named with the first line where they break', async () => {
    const result = await read(`${HEADER}2026-03-02,a,-1.00,EUR,99.00\n2026-03-03,b,-2.00,EUR,97.00\n2026-03-04,c,5.00,EUR,103.00\n`);
    expect(warned(result, 'balances_do_not_tie')).toContain('From line 4 on');
    expect(result.balances).toEqual([]);
  });

  it('are noticed if the first booking is there twice, or the last has no balance', async () => {
    const rows = ['2026-03-02,a,-1.00,EUR,99.00', '2026-03-03,b,-2.00,EUR,97.00', '2026-03-04,c,5.00,EUR,102.00'];
    for (const broken of [
      [rows[0], ...rows],
      [...rows, '2026-03-05,d,5.00,EUR,'],
    ]) {
      expect(warned(await read(`${HEADER}${broken.join('\n')}\n`), 'balances_do_not_tie')).toBeDefined();
      expect(warned(await read(`${HEADER}${broken.toReversed().join('\n')}\n`), 'balances_do_not_tie')).toBeDefined();
    }
  });

  it('are noticed whichever row between the first and the last is missing, doubled or changed', async () => {
    const amounts = fc.array(
      fc.integer({ min: -100_000, max: 100_000 }).filter((cents) => cents !== 0),
      { minLength: 4, maxLength: 12 },
    );
    const change = fc.constantFrom('drop', 'double', 'change', 'negate');
    await fc.assert(
      fc.asyncProperty(amounts, fc.nat(), change, fc.boolean(), async (cents, place, how, isNewestFirst) => {
        let balance = 0;
        const rows = cents.map((amount, index) => {
          balance += amount;
          return [`2026-03-${String(index + 1).padStart(2, '0')}`, 'x', (amount / 100).toFixed(2), 'EUR', (balance / 100).toFixed(2)];
        });
        if (isNewestFirst) rows.reverse();
        const at = 1 + (place % (rows.length - 2));
        const row = rows[at]!;
        const amount = how === 'change' ? Number(row[2]) + 0.5 : -Number(row[2]);
        const put = { drop: [], double: [row, row], change: [0], negate: [0] }[how].map((same) =>
          same === 0 ? row.with(2, amount.toFixed(2)) : row,
        );
        const lines = rows.toSpliced(at, 1, ...put).map((cells) => cells.join(','));
        const result = await read(`${HEADER}${lines.join('\n')}\n`).catch((error: { code: string }) => error.code);
        // Without any sign left, the balances contradict each other.
        if (typeof result === 'string') expect(result).toBe('ambiguous_amount');
        else expect(warned(result, 'balances_do_not_tie')).toBeDefined();
      }),
    );
  });

  it('are no fault if rows of their own state the opening and the closing balance', async () => {
    const rows = [
      '2026-03-01,Opening balance,100.00,EUR,',
      '2026-03-02,a,-1.00,EUR,5.00',
      '2026-03-03,b,-2.00,EUR,5.00',
      '2026-03-03,Closing balance,97.00,EUR,',
    ].join('\n');
    expect((await read(`${HEADER}${rows}\n`)).warnings).toEqual([]);
  });
});

describe('a file without balances', () => {
  it('is plausible, since a missing row is not noticed', async () => {
    const { certainty, warnings } = await read('Date,Description,Amount,Currency\n2026-03-02,a,-1.00,EUR\n');
    expect([certainty, warnings]).toEqual(['plausible', []]);
  });
});

describe('amounts without any sign', () => {
  const rows = (balances: readonly string[]) => balances.map((balance, index) => `2026-03-0${index + 1},x,2.00,EUR,${balance}`).join('\n');

  it('are money out if the balances prove it', async () => {
    const result = await read(`${HEADER}${rows(['98.00', '96.00', '94.00'])}\n`);
    expect(bookingsOf(result)).toEqual(['2026-03-01 -2.00 EUR', '2026-03-02 -2.00 EUR', '2026-03-03 -2.00 EUR']);
    expect(result.warnings).toEqual([]);
    expect(result.balances).toEqual([{ account: null, currency: 'EUR', opening: '100.00', closing: '94.00' }]);
  });

  it('are money in if the balances prove it', async () => {
    const result = await read(`${HEADER}${rows(['2.00', '4.00', '6.00'])}\n`);
    expect(bookingsOf(result)).toEqual(['2026-03-01 2.00 EUR', '2026-03-02 2.00 EUR', '2026-03-03 2.00 EUR']);
    expect(result).toMatchObject({ certainty: 'proven', warnings: [] });
  });

  it('are doubtful if the balances show the direction of one booking alone', async () => {
    const result = await read(`${HEADER}${rows(['2.00', '4.00'])}\n`);
    expect(result).toMatchObject({ certainty: 'doubtful', warnings: [{ code: 'direction_unknown' }] });
  });

  it('are refused with the line if the balances prove that they have both directions', async () => {
    await expect(read(`${HEADER}${rows(['2.00', '4.00', '2.00'])}\n`)).rejects.toMatchObject({
      code: 'ambiguous_amount',
      message: expect.stringContaining('Line 4 ') as string,
    });
  });

  it('are read as money in with a warning if nothing proves it', async () => {
    expect(warned(await read('Date,Description,Amount\n2026-03-02,a,1.00\n2026-03-03,b,2.00\n'), 'direction_unknown')).toBeDefined();
    expect(warned(await read('Date,Description,Amount\n2026-03-02,a,1.00\n2026-03-03,b,-2.00\n'), 'direction_unknown')).toBeUndefined();
    expect(warned(await read('Date,Description,Paid out,Paid in\n2026-03-02,a,1.00,\n'), 'direction_unknown')).toBeUndefined();
  });
});

describe('other warnings', () => {
  it('currency_unknown says how many lines name none', async () => {
    expect(warned(await read('Date,Description,Amount,Currency\n2026-03-02,a,-1.00,EUR\n2026-03-03,b,-1.00,\n'), 'currency_unknown')).toBe(
      'Line 3: no currency is named. Import the file with its currency.',
    );
  });

  it('unlikely_year names the first line before 1990 or after next year', async () => {
    const yearsOf = (...years: number[]) => read(`Date,Description,Amount\n${years.map((year) => `${year}-03-02,a,-1.00`).join('\n')}\n`);
    expect(warned(await yearsOf(1990, 2026, 2027), 'unlikely_year')).toBeUndefined();
    expect(warned(await yearsOf(2026, 1989), 'unlikely_year')).toContain('Line 3');
    expect(warned(await yearsOf(2028), 'unlikely_year')).toContain('Line 2');
  });

  it('not_booked says how many payments were left out', async () => {
    expect(
      warned(await read('Date,Description,Amount,Status\n2026-03-02,a,-1.00,Booked\n2026-03-03,b,-1.00,Pending\n'), 'not_booked'),
    ).toContain('Line 3');
  });

  it('repeat no text of the file', async () => {
    const { warnings } = await read(
      'Date,Description,Amount,Secret levy,Status\n1970-03-02,Secret,1.00,2.50,Booked\n1970-03-02,Secret,1.00,2.50,Secret\n',
    );
    expect(warnings.length).toBeGreaterThan(4);
    expect(JSON.stringify(warnings)).not.toMatch(/secret|levy|2\.50/i);
  });
});

describe('a value date that does not exist', () => {
  it('does not matter beside an entry date that does', async () => {
    expect(
      bookingsOf(await read('Buchungstag;Valuta;Text;Betrag\n28.02.2026;30.02.2026;Zinsen;1,50\n28.02.2026;27.02.2026;Tee;-1,50\n')),
    ).toEqual(['2026-02-28 1.50', '2026-02-28 -1.50']);
  });
});
