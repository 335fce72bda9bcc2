import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { csvFile } from './fixtures/files.js';
import { someLine, someReport, someResult } from './fixtures/report.js';
import type { Report } from './report.js';

const rowsOf = async (report: Report) =>
  parse<Record<string, string>>(await csvFile(report), { columns: true, bom: true, record_delimiter: '\r\n' });
const uncategorised = { category: '', name: 'Uncategorised', count: '3', gross: '', refunds: '', net: '310.15', claimable: '' };

describe('a CSV file', () => {
  it('is UTF-8 with a byte order mark, and every record ends with CR LF', async () => {
    const content = await csvFile(someReport({ options: { groupBy: ['category'] } }));
    expect(content.toString()).toBe(
      [
        '\ufeffcategory,name,count,gross,refunds,net,claimable',
        'CLOUD,Cloud services,10,12000.00,0.00,12000.00,12000.00',
        'STAFF-MEALS,"Staff meals, half of which may be claimed",10,8500.00,200.00,8300.00,4150.00',
        'TRAVEL-RAIL,"Züge, поїзди, τρένα",13,4001.20,925.40,3075.80,3075.80',
        ',Uncategorised,3,,,310.15,',
        '',
      ].join('\r\n'),
    );
  });

  it('has a row for each category and month if grouped by both, in any order', async () => {
    const rows = await rowsOf(someReport());
    expect(rows).toHaveLength(16);
    expect(rows[1]).toEqual({
      category: 'CLOUD',
      name: 'Cloud services',
      month: '2026-02',
      count: '2',
      gross: '2400.00',
      refunds: '0.00',
      net: '2400.00',
      claimable: '2400.00',
    });
    expect(rows.at(-1)).toEqual({ ...uncategorised, month: '' });
    expect(await rowsOf(someReport({ options: { groupBy: ['month', 'category'] } }))).toEqual(rows);
  });

  it('has a row for each month, including uncategorised lines, if grouped by month only', async () => {
    const rows = await rowsOf(someReport({ options: { groupBy: ['month'] } }));
    expect(rows.map(({ month, net }) => [month, net])).toEqual(someResult.months.map(({ month, net }) => [month, net]));
  });

  it('has the totals if not grouped', async () => {
    expect(await rowsOf(someReport({ options: { groupBy: [] } }))).toEqual([
      { count: '36', gross: '24811.35', refunds: '1125.40', net: '23685.95', claimable: '19225.80', uncategorised: '310.15' },
    ]);
  });

  it('leaves out uncategorised lines if the options say so', async () => {
    const rows = await rowsOf(someReport({ options: { groupBy: ['category'], includeUncategorised: false } }));
    expect(rows.map(({ category }) => category)).toEqual(['CLOUD', 'STAFF-MEALS', 'TRAVEL-RAIL']);
  });

  it('has the lines if the options ask for them', async () => {
    const other = { ...someLine, lineNumber: 2, counterparty: null, category: null, rule: null, claimablePercent: null, claimable: null };
    const lines = [someLine, other];
    const rows = await rowsOf(someReport({ lines, options: { detail: 'lines' } }));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({
      statement_id: someLine.statementId,
      line_number: '1',
      booked_on: '2026-03-31',
      account: 'ACCOUNT-7Q2M4XKD9A (3000)',
      counterparty: 'PERSON-4HT8ZC2N6V',
      description: 'Train ticket, return journey',
      reference: 'INV 2026/118',
      amount: '-80.20',
      currency: 'EUR',
      category: 'TRAVEL-RAIL',
      rule: 'rail',
      claimable_percent: '100',
      claimable: '80.20',
    });
    expect(rows[1]).toMatchObject({ line_number: '2', counterparty: '', category: '', claimable: '' });
    expect(await rowsOf(someReport({ lines, options: { detail: 'lines', includeUncategorised: false } }))).toEqual([rows[0]]);
  });

  it('has no claim for a line in another currency, which is not in the totals', async () => {
    const lines = [someLine, { ...someLine, lineNumber: 2, currency: 'USD' }];
    const rows = await rowsOf(someReport({ lines, options: { detail: 'lines' } }));
    expect(rows.map(({ currency, amount, claimable }) => [currency, amount, claimable])).toEqual([
      ['EUR', '-80.20', '80.20'],
      ['USD', '-80.20', ''],
    ]);
  });

  it('has a text in a number column if the value is not a number', async () => {
    const [row] = await rowsOf(someReport({ options: { detail: 'lines' }, lines: [{ ...someLine, amount: '-1+1' }] }));
    expect(row).toMatchObject({ amount: "'-1+1" });
  });
});
