import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvFile } from './csv-file.js';
import { someLine, someReport } from './fixtures/report.js';
import { inert } from './formula.js';

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹢', '−'];
const spaces = ['', ' ', '\t', '\r', '\n', '\u00a0', '\u3000', '\ufeff', '\u200b', '\0'];
/** Texts of what makes trouble, and any others. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...signs, ...spaces, ';', ',', '"', "'", 'SUM(A1)', '1')).map((parts) => parts.join('')),
);
/** What Excel, LibreOffice and Google Sheets leave aside before they look for a formula, taken widely. */
const beginning = /^[\s\p{C}]*([=+\-@＝＋－＠﹢﹣﹦﹫−])/u;
const withoutApostrophes = (value: string) => value.replaceAll("'", '');

describe('a text in a CSV file', () => {
  it('begins with an apostrophe if it would be a formula, also behind white space and in full-width forms', () => {
    for (const sign of signs) {
      for (const space of spaces) expect(inert(`${space}${sign}1+1`).startsWith("'")).toBe(true);
    }
    for (const control of ['\t', '\r', '\n']) expect(inert(`${control}cmd`)).toBe(`'${control}cmd`);
  });

  it('is left as it is if it is nothing of the kind', () => {
    for (const harmless of ['', 'Rail travel', '2026-03', 'a=b', 'a - b', '1-2', "O'Neill", 'INV;118', 'x, =y'])
      expect(inert(harmless)).toBe(harmless);
  });

  it('is never a formula, and without apostrophes it is what it was', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(inert(value)).not.toMatch(beginning);
        expect(withoutApostrophes(inert(value))).toBe(withoutApostrophes(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is no formula either where semicolons or tabs part the cells', () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const cell of inert(value).split(/[;\t\r\n]/)) expect(cell).not.toMatch(beginning);
      }),
      { numRuns: 1_000 },
    );
  });

  it('comes back from the file as it was written', async () => {
    // A lone surrogate cannot be said in UTF-8.
    await fc.assert(
      fc.asyncProperty(fc.array(text.filter((value) => value.isWellFormed())), async (texts) => {
        const content = await csvFile(
          someReport({ options: { detail: 'lines' }, lines: texts.map((description) => ({ ...someLine, description })) }),
        );
        const rows = parse<Record<string, string>>(content, { columns: true, bom: true, record_delimiter: '\r\n' });
        expect(rows).toMatchObject(texts.map((value) => ({ description: inert(value), amount: '-80.20' })));
      }),
    );
  });

  it('is looked through in a time that grows no faster than its length', () => {
    const long = `${' \t'.repeat(50_000)}x${'; '.repeat(50_000)}`;
    const before = performance.now();
    inert(long);
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
