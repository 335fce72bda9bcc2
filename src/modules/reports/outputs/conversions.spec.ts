import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { categoryOf, claiming, configurationOf, lineOf, statementOf } from '../engine/fixtures/run.js';
import { csvFile, journalFile, jsonFile, pdfFile, xlsxFile } from './fixtures/files.js';
import { computedReport } from './fixtures/computed-report.js';
import { textsOfPdf } from './fixtures/pdf-text.js';
import { sheetsOf } from './fixtures/workbook.js';
import { Recalculation } from './fixtures/recalculation.js';
import type { Report } from './report.js';

const OWN = { currency: 'EUR', rates: { source: 'Tax office', table: [{ currency: 'USD', month: '2026-01', rate: '0.9213' }] } };
const QUOTES = [{ day: '2026-01-15', quotes: { USD: '1.0855' } }];

const reportOf = (options: Partial<Report['options']> = {}, outputOptions: object = OWN) =>
  computedReport(
    {
      categories: [categoryOf('MEALS', [{ ...claiming('lunch', 50), taxPercent: 10 }])],
      configuration: configurationOf({ periodEnd: '2026-01-31', outputOptions: { ...outputOptions } }),
      statements: [statementOf(1)],
      quotes: QUOTES,
    },
    [
      lineOf(1, '-12.35', { description: 'Lunch in Boston', currency: 'USD' }),
      lineOf(1, '4.00', { description: 'Lunch, refund', currency: 'USD' }),
      lineOf(1, '-30.00', { description: 'Lunch' }),
      lineOf(1, '-7.00', { description: 'Museum', currency: 'USD' }),
      lineOf(1, '-9.00', { description: 'Lunch in London', currency: 'GBP' }),
    ],
    options,
  );

describe('a converted line', () => {
  it('has original and converted amount, rate and source in CSV and JSON', async () => {
    const report = await reportOf({ detail: 'lines' });
    const rows = parse<Record<string, string>>(await csvFile(report), { columns: true, bom: true, record_delimiter: '\r\n' });
    expect(rows.map((row) => [row.amount, row.currency, row.converted_amount, row.rate, row.rate_for, row.rate_source])).toEqual([
      ['-12.35', 'USD', '-11.38', '0.9213', '2026-01', 'Tax office'],
      ['4.00', 'USD', '3.69', '0.9213', '2026-01', 'Tax office'],
      ['-30.00', 'EUR', '', '', '', ''],
      ['-7.00', 'USD', '-6.45', '0.9213', '2026-01', 'Tax office'],
      ['-9.00', 'GBP', '', '', '', ''],
    ]);
    expect(rows.map(({ claimable }) => claimable)).toEqual(['5.69', '-1.845', '15.00', '', '']);
    const { lines } = JSON.parse((await jsonFile(report)).toString()) as { lines: object[] };
    expect(lines[0]).toMatchObject({ convertedAmount: '-11.38', rate: '0.9213', rateFor: '2026-01', rateSource: 'Tax office' });
    expect(lines[2]).toMatchObject({ convertedAmount: null, rate: null, rateFor: null, rateSource: null });
  });

  it.each([
    ['a table', OWN],
    ['reference rates', { currency: 'EUR', rates: 'ecb' }],
  ])('is a formula of its original amount and its rate in a workbook, with %s', async (_name, options) => {
    for (const detail of ['none', 'lines'] as const) {
      const sheets = sheetsOf(await xlsxFile(await reportOf({ detail }, options)));
      const items = sheets.get('Items')!;
      expect([items.P1, items.Q1, items.R1, items.S1].map((cell) => cell!.value)).toEqual([
        'Original amount',
        'Currency',
        'Rate',
        'Rate for',
      ]);
      expect([items.K2!.value, items.K2!.formula, items.P2!.value, items.Q2!.value]).toEqual(['11.38', 'ROUND(P2*R2,2)', '12.35', 'USD']);
      expect([items.K4!.formula, items.P4]).toEqual([undefined, undefined]);
      const workbook = new Recalculation(sheets);
      for (const [sheet, cells] of sheets)
        for (const [reference, { formula, value }] of Object.entries(cells))
          if (formula !== undefined) expect(Number(workbook.valueAt({ sheet, reference }))).toBeCloseTo(Number(value), 7);
      const museum = sheets.get('Other lines')?.I2;
      expect(museum?.formula).toBe(detail === 'lines' ? 'ROUND(K2*M2,2)' : undefined);
      expect(Object.values(sheets.get('Exchange rates')!).map(({ value }) => value)).toContain('USD');
    }
  });

  it('has its original amount and rate among the items of a PDF, whose method lists the rates and their source', async () => {
    const words = textsOfPdf(await pdfFile(await reportOf({ locale: 'en-GB' })))
      .flat()
      .map(({ text }) => text);
    const text = words.join(' ').replaceAll('\u00a0', ' ');
    expect(text).toContain('USD 12.35 × 0.9213');
    expect(text).toContain('USD \u22124.00 × 0.9213');
    expect(words).toEqual(expect.arrayContaining(['11.38', 'Exchange rates', 'Tax office', '0.9213', 'January 2026', '15.35', '14.14']));
    expect(text).not.toContain('Currencies are never converted');
    expect(text).toContain('2 lines in CHF between 3 Feb 2026 and 20 Feb 2026 have no exchange rate, and are not in the totals.');
  });

  it('is booked in the currency of the report', async () => {
    const report = await reportOf();
    const rows = parse<Record<string, string>>(await journalFile(report), { columns: true, bom: true, record_delimiter: '\r\n' });
    expect(rows.map(({ amount, currency }) => [amount, currency])).toEqual([
      ['5.69', 'EUR'],
      ['-1.84', 'EUR'],
      ['15.00', 'EUR'],
    ]);
    expect(report.result.totals.claimable).toBe('18.85');
  });

  it('leaves no trace in a report without rates', async () => {
    const report = await reportOf({ detail: 'lines' }, { currency: 'EUR' });
    for (const content of await Promise.all([jsonFile(report), csvFile(report)])) expect(content.toString()).not.toMatch(/rate|convert/i);
    const sheets = sheetsOf(await xlsxFile(report));
    expect([...sheets.keys()]).not.toContain('Exchange rates');
    expect(sheets.get('Items')).not.toHaveProperty('Q1');
  });
});
