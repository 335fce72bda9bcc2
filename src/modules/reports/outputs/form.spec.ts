import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, configurationOf, lineOf } from '../engine/fixtures/run.js';
import { computedReport } from './fixtures/computed-report.js';
import { formFile, jsonFile, pdfFile, xlsxFile } from './fixtures/files.js';
import { textsOfPdf } from './fixtures/pdf-text.js';
import { sheetsOf } from './fixtures/workbook.js';
import type { Report } from './report.js';

const FORM = {
  definition: 'eu_financial_statement',
  entries: { grant_number: '101012345', funding_rate: '70', asked: '150.00' },
  lines: { STAFF: 'employees', RAIL: 'travel' },
};
const reportWith = (outputOptions: object, options: Partial<Report['options']> = {}) =>
  computedReport(
    {
      categories: ['STAFF', 'RAIL', 'GIFTS'].map((code) => categoryOf(code, [claiming(code)])),
      configuration: configurationOf({ periodEnd: '2026-01-31', outputOptions: { ...outputOptions } }),
    },
    [
      lineOf(1, '-200.10', { description: 'STAFF' }),
      lineOf(1, '-20.00', { description: 'RAIL' }),
      lineOf(1, '-5.00', { description: 'GIFTS' }),
    ],
    options,
  );

describe('the form of a claim', () => {
  it('is a file in the order of the form', async () => {
    const report = await reportWith({ form: FORM });
    const rows = parse<Record<string, string>>(await formFile(report), { columns: true, bom: true, record_delimiter: '\r\n' });
    expect(rows.map(({ id }) => id)).toEqual(report.result.form!.sections.flatMap(({ lines }) => lines.map(({ id }) => id)));
    const byId = new Map(rows.map((row) => [row.id, row]));
    expect(byId.get('travel')).toMatchObject({ section: 'C. Purchase costs', number: 'C.1', amount: '20.00', categories: 'RAIL' });
    // 25 % of 220.10 is 55.025, which is rounded to cents; 70 % of 275.13 is more than was asked for.
    expect(byId.get('indirect')).toMatchObject({ amount: '55.03', computed: '55.025', percent: '25' });
    expect(byId.get('requested')).toMatchObject({ amount: '150.00', computed: '192.59', at_most: '150.00' });
    expect(byId.get('period_end')!.value).toBe('2026-01-31');
    expect(byId.get('funding_rate')!.value).toBe('70');
  });

  it('has a page in a PDF and a sheet in a workbook, in the language of the report', async () => {
    const report = await reportWith({ form: FORM }, { locale: 'de' });
    const text = textsOfPdf(await pdfFile(report))
      .flat()
      .map((part) => part.text)
      .join(' ')
      .replaceAll('\u00a0', ' ');
    for (const words of [
      'Financial statement of an EU grant',
      'C. Purchase costs',
      '31.01.2026',
      'vor Rundung oder Höchstbetrag 192,59',
      'höchstens 150,00',
    ])
      expect(text).toContain(words);
    expect(text).toContain('Im Formular geltend gemacht: EUR 150,00.');
    expect(text).toContain('Beträge von Kategorien ohne Zeile im Formular: EUR 5,00.');
    const values = Object.values(sheetsOf(await xlsxFile(report)).get('Formular')!).map(({ value }) => value);
    expect(values).toEqual(expect.arrayContaining(['C.1', 'Travel and subsistence', '20.00', '31.01.2026']));
  });

  it('leaves no trace in a report without one', async () => {
    const report = await reportWith({});
    expect((await jsonFile(report)).toString()).not.toContain('"form"');
    expect([...sheetsOf(await xlsxFile(report)).keys()]).not.toContain('Form');
  });
});
