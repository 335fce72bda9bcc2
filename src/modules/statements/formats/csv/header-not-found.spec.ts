import { describe, expect, it } from 'vitest';
import { readAll } from '../fixtures/reading.js';

const messageOf = (content: string): Promise<string> =>
  readAll(content, 'a.csv').then(
    () => 'read',
    (error: Error) => error.message,
  );

describe('a table without a header that is known', () => {
  it('says what was looked for', async () => {
    expect(await messageOf('Qwert;Zuiop;Asdfg\nIda Kranz;x;1\n')).toBe(
      'None of the first 60 lines is a header with a column for the date, such as “Date” or “Datum”, and one for the amount, such as ' +
        '“Amount” or “Betrag”, or one each for debit and credit. Without a header its columns are ambiguous. ' +
        'Add a layout that says what they are.',
    );
  });

  it('says which line comes nearest, and what it lacks, without its texts', async () => {
    expect(await messageOf('Notes of Ida Kranz\nText;Booking date;Zuiop\nTea;2026-03-02;x\n')).toBe(
      'Line 2 has a column for the date (column 2), but no name that is known for the amount, or for debit and credit. ' +
        'Without a header its columns are ambiguous. Add a layout that says what they are.',
    );
    expect(await messageOf('Zuiop;Text;Amount\nx;Tea;1\n')).toMatch(
      /^Line 1 has a column for the amount \(column 3\), but no .* the date\. /,
    );
  });

  it('and a file without a table names what can be read', async () => {
    await expect(readAll('Dear all', 'letter')).rejects.toMatchObject({
      code: 'format_unknown',
      message: expect.stringMatching(
        /is no table .* Import the statement as CSV, .* CODA, BAI2, Norma 43 or the XML of banks in Serbia\.$/,
      ) as string,
    });
  });

  it('and a date that can be read in two ways names the layout as the way out', async () => {
    expect(await messageOf('Date;Text;Amount\n03/04/2026;Tea;-1,50\n')).toMatch(/^Line 2 .* or add a layout that says the order\.$/);
  });
});
