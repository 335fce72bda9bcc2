import { describe, expect, it } from 'vitest';
import { CARD_PDF, FRENCH_PDF, GERMAN_PDF, makePdf, UK_PDF, type PdfLine } from '../fixtures/pdf.js';
import { bookingsOf, codesOf, readAll } from '../fixtures/reading.js';

type Pages = readonly (readonly PdfLine[])[];
const read = async (pages: Pages) => readAll(await makePdf(pages));

describe('a text PDF', () => {
  it('of a German bank has one signed column, texts of several lines, and a balance carried over the page', async () => {
    const statement = await read(GERMAN_PDF);
    expect(statement.format).toBe('pdf');
    expect(bookingsOf(statement)).toEqual(['2026-01-02 -84.20 EUR', '2026-01-05 20.00 EUR', '2026-01-30 -1200.00 EUR']);
    expect(statement.lines.map(({ description }) => description)).toEqual([
      'Lastschrift Stadtwerke Müllerberg Abschlag 12,00 netto',
      'Gutschrift Ida Kranz',
      'Miete Januar',
    ]);
    expect(statement.lines[0]!.account).toBe('DE89370400440532013000');
    expect(statement.balances).toEqual([{ account: 'DE89370400440532013000', currency: 'EUR', opening: '1000.00', closing: '-264.20' }]);
    expect(codesOf(statement)).toEqual([]);
  });

  it('of a French bank has columns for debit and credit, and dates without a year', async () => {
    const statement = await read(FRENCH_PDF);
    expect(bookingsOf(statement)).toEqual(['2026-01-02 -84.20', '2026-01-05 1250.00']);
    expect(statement.lines.map(({ description }) => description)).toEqual(['PRLV ELECTRICITE REF 4711', 'VIR HETRE']);
    expect(statement.balances).toMatchObject([{ opening: '1524.10', closing: '2689.90' }]);
    expect(codesOf(statement)).toEqual(['currency_unknown']);
  });

  it('of a British bank has the date of a day once, and a balance after each day', async () => {
    const statement = await read(UK_PDF);
    expect(bookingsOf(statement)).toEqual(['2026-01-02 -3.50 GBP', '2026-01-02 -89.90 GBP', '2026-01-15 1200.00 GBP']);
    expect(statement.lines.map(({ description }) => description)).toEqual(['Tea room', 'Rail ticket', 'I Kranz Invoice 17']);
  });

  it('of a credit card has payments marked CR, and balances that are owed', async () => {
    const statement = await read(CARD_PDF);
    expect(bookingsOf(statement)).toEqual(['2026-01-14 -20.00 USD', '2026-01-20 50.00 USD']);
    expect(statement.balances).toMatchObject([{ opening: '-100.00', closing: '-70.00' }]);
  });
});

describe('a PDF is refused', () => {
  const refusal = (pages: Pages) =>
    read(pages).then(
      ({ lines }) => ({ lines }),
      ({ code, message }: { code: string; message: string }) => ({ code, message }),
    );
  const changed = (pages: Pages, change: (line: PdfLine, index: number) => PdfLine | undefined): Pages =>
    pages.map((lines, page) =>
      lines.flatMap((line, index) => {
        const result = change(line, page * 100 + index);
        return result === undefined ? [] : [result];
      }),
    );

  it('if any amount in its table is another, or any booking is missing', async () => {
    for (const pages of [GERMAN_PDF, FRENCH_PDF, UK_PDF, CARD_PDF]) {
      const places = pages.flatMap((lines, page) =>
        lines.flatMap((line, index) =>
          line?.some(([x, text]) => x < 0 && /\d,\d\d|\d\.\d\d/.test(text) && !text.startsWith('5,000')) ? [page * 100 + index] : [],
        ),
      );
      for (const place of places) {
        const other = changed(pages, (line, index) =>
          index === place
            ? line!.map(([x, text]) => [x, x < 0 ? text.replace(/\d(?=\D*$)/, (digit) => `${(Number(digit) + 1) % 10}`) : text])
            : line,
        );
        expect(await refusal(other), `${place}`).toMatchObject(
          /TOTAL/.test(JSON.stringify(pages[Math.floor(place / 100)]![place % 100]))
            ? { lines: expect.anything() as unknown }
            : { code: 'pdf_does_not_tie' },
        );
      }
      for (const place of places) {
        const without = await refusal(changed(pages, (line, index) => (index === place ? undefined : line)));
        if ('lines' in without) expect(without.lines).toEqual((await read(pages)).lines);
      }
    }
  });

  it('if a row within its table is not understood', async () => {
    const strange = changed(GERMAN_PDF, (line, index) => (index === 7 ? [[50, 'Neue Bedingungen']] : line));
    expect(await refusal(strange)).toEqual({ code: 'pdf_line_not_understood', message: expect.stringContaining('Page 1, row') as string });
    const undated = changed(GERMAN_PDF, (line, index) => (index === 8 ? line!.slice(2) : line));
    expect(await refusal(undated)).toMatchObject({ code: 'pdf_line_not_understood' });
  });

  it('if it does not show the direction of amounts', async () => {
    const unsigned = GERMAN_PDF.map((lines) =>
      lines.map((line) => line?.map(([x, text]): [number, string] => [x, text.replace(/[+-]$/, '')]) ?? null),
    );
    expect(await refusal(unsigned)).toMatchObject({ code: 'direction_unknown' });
    const card = changed(GERMAN_PDF, (line, index) => (index === 0 ? [[50, 'Kreditkartenabrechnung']] : line));
    expect(await refusal(card)).toMatchObject({ code: 'direction_unknown' });
  });

  it('if nothing shows the year of its dates', async () => {
    const undated = GERMAN_PDF.map((lines) =>
      lines.map((line) => line?.map(([x, text]): [number, string] => [x, text.replace(/ vom .*/, '')]) ?? null),
    );
    expect(await refusal(undated)).toMatchObject({ code: 'dates_without_year' });
  });

  it('as a scan, encrypted, damaged, or without balances', async () => {
    expect(await refusal([[], []])).toEqual({ code: 'pdf_is_scan', message: expect.stringContaining('The PDF is a scan') as string });
    await expect(makePdf(GERMAN_PDF, { userPassword: 'x' }).then(readAll)).rejects.toMatchObject({ code: 'pdf_encrypted' });
    await expect(readAll('%PDF-1.7')).rejects.toMatchObject({ code: 'invalid_pdf' });
    expect(await refusal([[[[50, 'Dear all']]]])).toMatchObject({ code: 'pdf_does_not_tie' });
  });

  it('or read the same, if it is damaged', async () => {
    const whole = await makePdf(FRENCH_PDF);
    const lines = (await readAll(whole)).lines;
    for (let at = 0; at < whole.length; at += 97) {
      const damaged = Buffer.concat([whole.subarray(0, at), Buffer.from('7'), whole.subarray(at + 3)]);
      const outcome = await readAll(damaged).catch(({ code }: { code?: string }) => code);
      if (typeof outcome === 'object') expect(bookingsOf(outcome)).toEqual(bookingsOf({ ...outcome, lines }));
      else expect(outcome).toMatch(/^[a-z_]+$/);
    }
  });
});
