import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvFile } from './fixtures/files.js';
import { someLine, someReport } from './fixtures/report.js';
import { withoutFormulas } from '../../../kernel/formula.js';

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹢', '−'];
const spaces = ['', ' ', '\t', '\r', '\n', '\u00a0', '\u3000', '\ufeff', '\u200b', '\0'];
/** Texts of characters that start or separate formulas, and arbitrary texts. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...signs, ...spaces, ';', ',', '"', "'", 'SUM(A1)', '1')).map((parts) => parts.join('')),
);
/** Characters that Excel, LibreOffice and Google Sheets may skip before a formula. */
const beginning = /^[\s\p{C}]*([=+\-@＝＋－＠﹢﹣﹦﹫−])/u;
const withoutApostrophes = (value: string) => value.replaceAll("'", '');

describe('a text in a CSV file', () => {
  it('starts with an apostrophe if it would be a formula, even after white space and in full-width forms', () => {
    for (const sign of signs) {
      for (const space of spaces) expect(withoutFormulas(`${space}${sign}1+1`).startsWith("'")).toBe(true);
    }
    for (const control of ['\t', '\r', '\n']) expect(withoutFormulas(`${control}cmd`)).toBe(`'${control}cmd`);
  });

  it('is unchanged if it would not be a formula', () => {
    for (const harmless of ['', 'Rail travel', '2026-03', 'a=b', 'a - b', '1-2', "O'Neill", 'INV;118', 'x, =y'])
      expect(withoutFormulas(harmless)).toBe(harmless);
  });

  it('is never a formula, and unchanged but for the apostrophes', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(withoutFormulas(value)).not.toMatch(beginning);
        expect(withoutApostrophes(withoutFormulas(value))).toBe(withoutApostrophes(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is not a formula with semicolons or tabs as separators either', () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const cell of withoutFormulas(value).split(/[;\t\r\n]/)) expect(cell).not.toMatch(beginning);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is read back from the file as it was written', async () => {
    // UTF-8 has no lone surrogates.
    await fc.assert(
      fc.asyncProperty(fc.array(text.filter((value) => value.isWellFormed())), async (texts) => {
        const content = await csvFile(
          someReport({ options: { detail: 'lines' }, lines: texts.map((description) => ({ ...someLine, description })) }),
        );
        const rows = parse<Record<string, string>>(content, { columns: true, bom: true, record_delimiter: '\r\n' });
        expect(rows).toMatchObject(texts.map((value) => ({ description: withoutFormulas(value), amount: '-80.20' })));
      }),
    );
  });

  it('is escaped in linear time', () => {
    const long = `${' \t'.repeat(50_000)}x${'; '.repeat(50_000)}`;
    const before = performance.now();
    withoutFormulas(long);
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
