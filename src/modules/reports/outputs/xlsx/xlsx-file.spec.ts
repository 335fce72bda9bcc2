import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { someFindings, someLine, someReport, someResult, someStatements } from '../fixtures/report.js';
import { Recalculation } from '../fixtures/recalculation.js';
import { filesOf, sheetsOf } from '../fixtures/workbook.js';
import type { Report } from '../report.js';
import { namesOf, sentenceOf } from '../wording/sentences.js';
import { wordingOf } from '../../../../api/wording/wording.js';
import { inSheets } from './sheets/items.js';
import { xlsxFile } from '../fixtures/files.js';

const read = async (...args: Parameters<typeof someReport>) => sheetsOf(await xlsxFile(someReport(...args)));

describe('a workbook', () => {
  it('has the sheets that the options ask for', async () => {
    const namesFor = async (options: Partial<Report['options']>) => [...(await read({ options })).keys()];
    expect(await namesFor({})).toEqual(['Summary', 'Categories', 'Months', 'Items', 'Statements', 'Exceptions']);
    expect(await namesFor({ groupBy: [] })).toEqual(['Summary', 'Items', 'Statements', 'Exceptions']);
    expect(await namesFor({ groupBy: ['month'], detail: 'lines' })).toEqual([
      'Summary',
      'Months',
      'Items',
      'Other lines',
      'Statements',
      'Exceptions',
    ]);
  });

  it('declares exactly the parts it has', async () => {
    const files = filesOf(await xlsxFile(someReport()));
    const named = [...files['[Content_Types].xml']!.matchAll(/PartName="\/(.*?)"/g)].map(([, path]) => path);
    expect(
      Object.keys(files)
        .filter((path) => /^(xl|docProps)\//.test(path) && !path.endsWith('.rels'))
        .sort(),
    ).toEqual(named.sort());
  });

  it('has the elements of each part in the order that the format demands', async () => {
    const files = filesOf(await xlsxFile(someReport({ lines: [someLine], options: { detail: 'lines' } })));
    const elementsOf = (path: string) => [...new Set([...files[path]!.matchAll(/<(\w+)[ >/]/g)].map(([, name]) => name!))];
    const order = ['worksheet', 'sheetPr', 'pageSetUpPr', 'dimension', 'sheetViews', 'sheetView', 'pane', 'selection', 'sheetFormatPr'];
    const after = ['autoFilter', 'pageMargins', 'pageSetup', 'headerFooter', 'oddFooter'];
    const inCells = ['row', 'c', 'f', 'v', 'is', 't'];
    for (const path of Object.keys(files).filter((name) => name.startsWith('xl/worksheets/'))) {
      const known = [...order, 'cols', 'col', 'sheetData', ...after];
      const found = elementsOf(path).filter((name) => !inCells.includes(name));
      expect(found).toEqual(known.filter((name) => found.includes(name)));
    }
    expect(elementsOf('xl/workbook.xml')).toEqual([
      'workbook',
      'bookViews',
      'workbookView',
      'sheets',
      'sheet',
      'definedNames',
      'definedName',
    ]);
    expect(elementsOf('xl/styles.xml').filter((name) => /^(num|fonts|fills|borders|cell)/.test(name))).toEqual([
      'numFmts',
      'numFmt',
      'fonts',
      'fills',
      'borders',
      'cellStyleXfs',
      'cellXfs',
      'cellStyles',
      'cellStyle',
    ]);
  });

  it('keeps headings in view, can be filtered, and prints each sheet whole, with its headings on every page', async () => {
    const files = filesOf(await xlsxFile(someReport({ lines: [someLine], options: { paperSize: 'letter' } })));
    const items = files['xl/worksheets/sheet4.xml']!;
    expect(items).toContain('<pane ySplit="1" topLeftCell="A2"');
    expect(items).toContain('<autoFilter ref="A1:N2"/>');
    expect(items).toContain('<pageSetup paperSize="1" orientation="landscape" fitToWidth="1" fitToHeight="0"/>');
    const names = [...files['xl/workbook.xml']!.matchAll(/<definedName name="([^"]*)" localSheetId="3"[^>]*>(.*?)</g)];
    expect(names.map(([, name, reference]) => [name, reference])).toEqual([
      ['_xlnm._FilterDatabase', `'Items'!$A$1:$N$2`],
      ['_xlnm.Print_Area', `'Items'!$A$1:$N$3`],
      ['_xlnm.Print_Titles', `'Items'!$1:$1`],
    ]);
  });

  it('names its title and organization, and the time of the run as its own', async () => {
    const files = filesOf(await xlsxFile(someReport()));
    const core = files['docProps/core.xml']!;
    expect(core).toContain('<dc:title>Expenses of the first half of 2026</dc:title>');
    expect(core).toContain('<dc:creator>Example Accountants LLP</dc:creator>');
    expect(core).toContain('<dcterms:created xsi:type="dcterms:W3CDTF">2026-07-03T09:41:27Z</dcterms:created>');
    expect(files['docProps/app.xml']).toContain('<Application>Claims API</Application>');
  });

  it('says on its first sheet whose report it is, and has real dates', async () => {
    const cells = Object.values((await read()).get('Summary')!);
    const texts = ['Example Accountants LLP', 'Harbour & Finch Ltd', 'HF-2026', 'Expenses of the first half of 2026'];
    expect(cells.map(({ value }) => value)).toEqual(expect.arrayContaining(texts));
    expect(cells).toContainEqual({ kind: 'number', value: '46023', format: 'yyyy\\-mm\\-dd' });
    expect(cells).toContainEqual({ kind: 'number', value: '46206.403791', format: 'yyyy\\-mm\\-dd\\ hh:mm' });
  });

  it('has days as dates and months as the first of the month', async () => {
    const days = ['2026-03-31', '2000-01-01', '1999-12-31'];
    const sheet = (await read({ lines: days.map((bookedOn) => ({ ...someLine, bookedOn })) })).get('Items')!;
    expect([sheet.D2, sheet.D3, sheet.D4]).toEqual(
      ['46112', '36526', '36525'].map((value) => ({ kind: 'number', value, format: 'yyyy\\-mm\\-dd' })),
    );
    expect([sheet.C2, sheet.C4]).toEqual(['46082', '36495'].map((value) => ({ kind: 'number', value, format: 'mmm\\ yyyy' })));
  });

  it('lists expenses as positive and refunds as negative, with the claim as exact as it is', async () => {
    const lines = [
      { ...someLine, claimablePercent: '33.3333', amount: '-82.44', claimable: '27.47997252' },
      { ...someLine, amount: '5.00', claimable: '-5.00' },
    ];
    const sheet = (await read({ lines })).get('Items')!;
    expect([sheet.E2, sheet.K2, sheet.L2, sheet.M2]).toMatchObject([
      { value: 'S1/1' },
      { value: '82.44', format: '#,##0.00' },
      { value: '33.3333', format: '#,##0.0000' },
      { value: '27.47997252', format: '#,##0.00??????' },
    ]);
    expect([sheet.K3, sheet.M3]).toMatchObject([{ value: '-5.00' }, { value: '-5.00', format: '#,##0.00??????' }]);
  });

  it('has other lines only if the options ask for them, each currency in a column of its own, and no line twice', async () => {
    const unclaimed = { ...someLine, category: null, categoryIndex: null, rule: null, claimablePercent: null, claimable: null };
    const lines = [someLine, { ...unclaimed, lineNumber: 2 }, { ...someLine, lineNumber: 3, currency: 'USD' }];
    const sheets = await read({ lines, options: { detail: 'lines' } });
    expect([sheets.get('Items')!.E2, sheets.get('Items')!.E3]).toMatchObject([{ value: 'S1/1' }, { value: '' }]);
    const others = sheets.get('Other lines')!;
    expect([others.I1, others.J1, others.B2, others.I2, others.B3, others.J3]).toMatchObject(
      ['Amount, EUR', 'Amount, USD', 'S1/2', '80.20', 'S1/3', '80.20'].map((value) => ({ value })),
    );
    expect([others.J2, others.I3]).toEqual([undefined, undefined]);
    const categorised = await read({ lines, options: { detail: 'lines', includeUncategorised: false } });
    expect(categorised.get('Other lines')).toMatchObject({ B2: { value: 'S1/3' } });
  });

  it('has every statement with its certainty, whole id and hash, and calls it by its reference in what is to be checked', async () => {
    const report = someReport();
    const [, second] = report.result.statements;
    const sheets = await read({ findings: [{ kind: 'statement_incomplete', statementId: second!.id }] });
    expect(sheets.get('Statements')).toMatchObject({
      A3: { value: 'S2' },
      K3: { value: 'plausible, without balances that prove it' },
      L3: { value: second!.sha256 },
      M3: { value: second!.id },
    });
    const exceptions = sheets.get('Exceptions')!;
    expect(exceptions.B2!.value).toMatch(/^The lines of S2 \(account-2\.csv\) do not add up/);
    expect(Object.values(exceptions).map(({ value }) => value)).not.toContainEqual(expect.stringContaining(second!.id));
  });

  it.each(['en-GB', 'en-US', 'de', 'fr', 'es', 'nl', 'pl'])('has sheets that every program can open in %s', async (locale) => {
    const sheets = await read({ lines: [someLine], options: { locale, detail: 'lines' } });
    expect(sheets.size).toBe(7);
    for (const name of sheets.keys()) expect(name).toMatch(/^[^':\\/?*[\]]{1,31}$/);
    const workbook = new Recalculation(sheets);
    const formulas = [...sheets].flatMap(([sheet, cells]) =>
      Object.entries(cells).flatMap(([reference, { formula }]) => (formula === undefined ? [] : [{ sheet, reference }])),
    );
    for (const place of formulas) expect(workbook.valueAt(place)).toEqual(expect.any(Number));
  });

  it('says every finding as the document does, and of which currency a balance is', async () => {
    const [, second] = someResult.statements;
    const controls = [{ name: `statement_balance:${second!.id}:USD`, expected: '0.00', actual: '1.00', ok: false }];
    const sheet = (await read({ findings: someFindings, result: { ...someResult, controls }, options: { locale: 'fr' } })).get(
      'Points à vérifier',
    );
    const values = Object.values(sheet ?? {}).map(({ value }) => value);
    expect(values).toEqual(
      expect.arrayContaining(someFindings.map((finding) => sentenceOf(wordingOf('fr'), namesOf(someStatements), finding))),
    );
    expect(values).toContainEqual(expect.stringMatching(/S2 \(account-2\.csv\).*\(USD\)$/));
  });

  it('is in the language of the report', async () => {
    const sheets = await read({ options: { locale: 'de-AT' } });
    expect([...sheets.keys()]).toEqual(['Zusammenfassung', 'Kategorien', 'Monate', 'Posten', 'Kontoauszüge', 'Auffälligkeiten']);
    expect(sheets.get('Kategorien')).toMatchObject({ C1: { value: 'Kategorie' }, D1: { value: 'Monat' }, E1: { value: 'Zeilen' } });
  });

  it('continues on another sheet when one is full', () => {
    const make = (lines: Iterable<unknown>) => ({ rows: [...lines].map(() => ({ cells: [] })), widths: [] });
    const sheets = inSheets(
      'Items',
      Array.from({ length: 1_048_575 }, () => someLine),
      make,
    );
    expect(sheets.map(({ name, lastRow, rowCount }) => [name, lastRow, rowCount])).toEqual([
      ['Items', 1_048_575, 1_048_576],
      ['Items 2', 2, 3],
    ]);
    expect([...sheets[1]!.rows]).toHaveLength(1);
    expect(inSheets('Items', [], make).map(({ name }) => name)).toEqual(['Items']);
  });

  it('contains no time but that of the run', async () => {
    const content = await xlsxFile(someReport());
    // The time and the date of the first file in the archive: 1 January 1980.
    expect(content.readUInt32LE(10)).toBe((1 << 21) | (1 << 16));
    expect(Object.keys(unzipSync(content))).toContain('docProps/core.xml');
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
          const sheet = (await read({ lines: texts.map((description) => ({ ...someLine, description })), options: { groupBy: [] } })).get(
            'Items',
          )!;
          texts.forEach((value, index) => expect(sheet[`G${index + 2}`]).toEqual({ kind: 'text', value, format: '@' }));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is cut at the maximum length of a cell', async () => {
    const sheet = (await read({ lines: [{ ...someLine, description: 'x'.repeat(40_000) }] })).get('Items')!;
    expect(sheet.G2!.value).toBe('x'.repeat(32_767));
  });

  it('stays a text in a number column if it is not a number', async () => {
    const sheet = (await read({ lines: [{ ...someLine, claimablePercent: '1"/><f>1+1</f>' }] })).get('Items')!;
    expect(sheet.L2).toEqual({ kind: 'text', value: '1"/><f>1+1</f>', format: '@' });
  });
});
