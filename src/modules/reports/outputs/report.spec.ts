import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, configurationOf, lineOf, statementOf } from '../engine/fixtures/run.js';
import { csvFile, jsonFile, pdfFile } from './fixtures/files.js';
import { computedReport } from './fixtures/computed-report.js';
import { textsOfPdf } from './fixtures/pdf-text.js';
import type { Report } from './report.js';

const taxed = [categoryOf('MEALS', [{ ...claiming('lunch', 50), taxPercent: 19 }]), categoryOf('RENT', [claiming('rent')])];
const LINES = [
  lineOf(1, '-20.00', { description: 'Lunch' }),
  lineOf(1, '5.00', { description: 'Lunch, refund' }),
  lineOf(1, '-30.00', { description: 'Rent' }),
  lineOf(1, '-4.00', { description: 'Private' }),
  lineOf(1, '-9.00', { description: 'Lunch', currency: 'USD' }),
];

const reportOf = (options: Partial<Report['options']> = {}, categories = taxed) =>
  computedReport({ categories, configuration: configurationOf({ periodEnd: '2026-01-31' }), statements: [statementOf(1)] }, LINES, options);
const csvOf = async (options: Partial<Report['options']>) =>
  parse<Record<string, string>>(await csvFile(await reportOf(options)), { columns: true, bom: true, record_delimiter: '\r\n' });

describe('the tax in claims', () => {
  it('is in every table of a CSV file, and empty for lines that no category claims', async () => {
    expect(await csvOf({ groupBy: ['category'] })).toMatchObject([
      { category: 'MEALS', claimable: '7.50', claimable_tax: '1.20', claimable_net: '6.30' },
      { category: 'RENT', claimable: '30.00', claimable_tax: '0.00', claimable_net: '30.00' },
      { name: 'Uncategorised', claimable: '', claimable_tax: '', claimable_net: '' },
    ]);
    const totals = { claimable: '37.50', claimable_tax: '1.20', claimable_net: '36.30' };
    expect(await csvOf({ groupBy: ['month'] })).toMatchObject([{ month: '2026-01', ...totals }]);
    expect(await csvOf({ groupBy: [] })).toMatchObject([{ ...totals, uncategorised: '4.00' }]);
    expect(await csvOf({})).toMatchObject([{ claimable_tax: '1.20' }, { claimable_tax: '0.00' }, { claimable_tax: '' }]);
  });

  it('is shown for each line with at most six decimals, negative for a refund', async () => {
    const rows = await csvOf({ detail: 'lines' });
    expect(rows.map((row) => [row.claimable, row.tax_percent, row.claimable_tax])).toEqual([
      ['10.00', '19', '1.596639'],
      ['-2.50', '19', '-0.39916'],
      ['30.00', '', ''],
      ['', '', ''],
      ['', '19', ''],
    ]);
    const { lines } = JSON.parse((await jsonFile(await reportOf({ detail: 'lines' }))).toString()) as { lines: object[] };
    expect(lines.slice(0, 3)).toMatchObject([
      { taxPercent: '19', claimableTax: '1.596639' },
      { taxPercent: '19', claimableTax: '-0.39916' },
      { taxPercent: null, claimableTax: null },
    ]);
  });

  it('is in the tables, the items and the method of a PDF', async () => {
    const wordsOf = async (report: Report) =>
      textsOfPdf(await pdfFile(report))
        .flat()
        .map(({ text }) => text);
    const words = await wordsOf(await reportOf({ locale: 'en-GB' }));
    expect(words).toEqual(expect.arrayContaining(['19%', '1.596639', '\u22120.39916', '1.20', '6.30', '36.30']));
    const text = words.join(' ');
    expect(text).toContain('Of a claim at 19 percent, 19 parts of 119 are tax.');
    expect(text).toContain('Tax and claim without tax: amount claimed');
    const untaxed = await reportOf({ locale: 'en-GB' }, [categoryOf('MEALS', [claiming('lunch', 50)])]);
    expect((await wordsOf(untaxed)).join(' ')).not.toMatch(/tax/i);
  });

  it('leaves no trace in a report whose rules state none', async () => {
    const report = await reportOf({ detail: 'lines' }, [categoryOf('MEALS', [{ ...claiming('lunch', 50), taxPercent: null }])]);
    for (const content of await Promise.all([jsonFile(report), csvFile(report)])) expect(content.toString()).not.toMatch(/tax/i);
    expect(report.result.controls.map(({ name }) => name)).not.toContain('tax_and_net_make_claimable');
  });
});
