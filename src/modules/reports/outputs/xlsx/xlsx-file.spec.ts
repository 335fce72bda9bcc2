import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { someLine, someReport, someResult } from '../fixtures/report.js';
import { filesOf, sheetsOf } from '../fixtures/workbook.js';
import type { Report } from '../report.js';
import { lineSheets, xlsxFile } from './xlsx-file.js';

const read = async (...args: Parameters<typeof someReport>) => sheetsOf(await xlsxFile(someReport(...args)));

describe('a workbook', () => {
  it('has the sheets that the options ask for', async () => {
    const namesFor = async (options: Partial<Report['options']>) => [...(await read({ options })).keys()];
    expect(await namesFor({})).toEqual(['Summary', 'Categories', 'Months', 'Evidence']);
    expect(await namesFor({ groupBy: [] })).toEqual(['Summary', 'Evidence']);
    expect(await namesFor({ groupBy: ['month'], detail: 'lines' })).toEqual(['Summary', 'Months', 'Evidence', 'Lines']);
  });

  it('declares exactly the parts it has', async () => {
    const files = filesOf(await xlsxFile(someReport()));
    const named = [...files['[Content_Types].xml']!.matchAll(/PartName="\/(.*?)"/g)].map(([, path]) => path);
    expect(
      Object.keys(files)
        .filter((path) => path.startsWith('xl/') && !path.endsWith('.rels'))
        .sort(),
    ).toEqual(named.sort());
  });

  it('has totals, controls and warnings', async () => {
    const values = Object.values((await read()).get('Summary')!).map(({ value }) => value);
    expect(values).toEqual(
      expect.arrayContaining([
        'Expenses of the first half of 2026',
        '2026-01-01 to 2026-06-30',
        '83.4 %',
        '23685.95',
        '310.15',
        'USD',
        'categories_and_uncategorised_make_net',
        'yes',
        'no',
        'claimed_by_several',
        someResult.warnings[1]!.message,
      ]),
    );
  });

  it('has amounts as numbers with all their decimals', async () => {
    const sheet = (await read({ options: { groupBy: ['category'] } })).get('Categories')!;
    expect(sheet).toMatchObject({
      A2: { kind: 'text', value: 'CLOUD' },
      C2: { kind: 'number', value: '10', format: '#,##0' },
      D2: { kind: 'number', value: '12000.00', format: '#,##0.00' },
      B5: { kind: 'text', value: 'Uncategorised' },
      F5: { kind: 'number', value: '310.15', format: '#,##0.00' },
    });
    expect(sheet).not.toHaveProperty('A5');
    expect(sheet).not.toHaveProperty('D5');
  });

  it('formats each number with its own number of decimals', async () => {
    const sheet = (await read({ options: { detail: 'lines' }, lines: [{ ...someLine, amount: '-1200', claimable: '0.33335' }] })).get(
      'Lines',
    )!;
    expect(sheet).toMatchObject({ H2: { value: '-1200', format: '#,##0' }, M2: { value: '0.33335', format: '#,##0.00000' } });
  });

  it('has days as spreadsheet dates', async () => {
    const days = ['2026-03-31', '2000-01-01', '1999-12-31'];
    const sheet = (await read({ options: { detail: 'lines' }, lines: days.map((bookedOn) => ({ ...someLine, bookedOn })) })).get('Lines')!;
    expect([sheet.C2, sheet.C3, sheet.C4]).toEqual(
      ['46112', '36526', '36525'].map((value) => ({ kind: 'number', value, format: 'yyyy\\-mm\\-dd' })),
    );
  });

  it('groups categories by month, and leaves out uncategorised lines if the options say so', async () => {
    const sheet = (await read({ options: { includeUncategorised: false } })).get('Categories')!;
    expect(sheet).toMatchObject({ C1: { value: 'Month' }, C2: { value: '2026-01' }, A16: { value: 'TRAVEL-RAIL' } });
    expect(sheet).not.toHaveProperty('B17');
  });

  it('has every line that the options ask for, and no others', async () => {
    const lines = Array.from({ length: 600 }, (_value, index) => ({
      ...someLine,
      lineNumber: index + 1,
      category: index % 3 === 0 ? null : 'CLOUD',
    }));
    const numbersIn = async (includeUncategorised: boolean) => {
      const sheet = (await read({ lines, options: { detail: 'lines', includeUncategorised } })).get('Lines')!;
      return Object.entries(sheet)
        .filter(([place, { kind }]) => place.startsWith('B') && kind === 'number')
        .map(([, { value }]) => Number(value));
    };
    expect(await numbersIn(true)).toEqual(lines.map(({ lineNumber }) => lineNumber));
    expect(await numbersIn(false)).toEqual(lines.filter(({ category }) => category !== null).map(({ lineNumber }) => lineNumber));
  });

  it('continues on another sheet when one is full', () => {
    const sheets = lineSheets(Array.from({ length: 1_048_576 }, () => someLine));
    expect(sheets.map(({ name }) => name)).toEqual(['Lines', 'Lines 2']);
    expect([...sheets[1]!.tables[0]!.rows]).toHaveLength(1);
    expect(lineSheets([]).map(({ name }) => name)).toEqual(['Lines']);
  });

  it('contains no time of creation', async () => {
    const files = await xlsxFile(someReport());
    // The time and the date of the first file in the archive: 1 January 1980.
    expect(files.readUInt32LE(10)).toBe((1 << 21) | (1 << 16));
    expect(Object.keys(unzipSync(files)).some((path) => path.startsWith('docProps'))).toBe(false);
  });
});

describe('a text in a workbook', () => {
  it('is read back unchanged and is never a formula', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 50 }),
      fc.constantFrom(
        '=1+1',
        '@SUM(A1)',
        '  spaced ',
        'a\r\nb',
        '_x0041_',
        '_x005F_',
        '_x000d_',
        '\0\x1f\x7f\ufffe\uffff',
        '<a href="x">&amp;</a>',
        ']]>',
        '-5',
        '1e3',
        '',
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          text.filter((value) => value.isWellFormed()),
          { minLength: 1 },
        ),
        async (texts) => {
          const sheet = (
            await read({ lines: texts.map((description) => ({ ...someLine, description })), options: { detail: 'lines', groupBy: [] } })
          ).get('Lines')!;
          texts.forEach((value, index) => expect(sheet[`F${index + 2}`]).toEqual({ kind: 'text', value, format: '@' }));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is cut at the maximum length of a cell', async () => {
    const sheet = (await read({ lines: [{ ...someLine, description: 'x'.repeat(40_000) }], options: { detail: 'lines' } })).get('Lines')!;
    expect(sheet.F2!.value).toBe('x'.repeat(32_767));
  });

  it('stays a text in a number column if it is not a number', async () => {
    const sheet = (await read({ options: { detail: 'lines' }, lines: [{ ...someLine, amount: '1"/><f>1+1</f>' }] })).get('Lines')!;
    expect(sheet.H2).toEqual({ kind: 'text', value: '1"/><f>1+1</f>', format: '@' });
  });
});
