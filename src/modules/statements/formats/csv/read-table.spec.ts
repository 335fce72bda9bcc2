import { describe, expect, it } from 'vitest';
import { once } from '../../../../../tools/bank-files/fixtures/pieces.js';
import { TODAY } from '../fixtures/reading.js';
import type { LineDraft } from '../../../../../tools/bank-files/index.js';
import { layoutWithHeader } from '../../../../../tools/bank-tables/csv/layout.js';
import { readTable, type Table } from '../../../../../tools/bank-tables/csv/read-table.js';

const readByNames = (table: Table) =>
  readTable(table, { ...TODAY, shipped: new Map(), minorDigitsOf: () => 2 }, layoutWithHeader(table.sample)!);

const tableOf = (...rows: readonly (readonly string[])[]) => {
  const all = rows.map((cells, index) => ({ cells, line: index + 1 }));
  return { sample: all, records: once(...all) };
};

describe('a table whose cells come from another kind of file', () => {
  it('is read like a CSV', async () => {
    const { lines, balances } = readByNames(
      tableOf(
        ['Account', 'NL91ABNA0417164300'],
        ['Date', 'Description', 'Amount', 'Balance'],
        ['2026-03-02', 'Tea', '-1.50', '98.50'],
        ['2026-03-03', 'Salary', '1000.00', '1098.50'],
      ),
    );
    const drafts: LineDraft[] = [];
    for await (const batch of lines) drafts.push(...batch);
    expect(drafts.map(({ bookedOn, amount, description }) => [bookedOn, amount, description])).toEqual([
      ['2026-03-02', '-1.50', 'Tea'],
      ['2026-03-03', '1000.00', 'Salary'],
    ]);
    expect(balances()).toEqual([{ account: 'NL91ABNA0417164300', currency: null, opening: '100.00', closing: '1098.50' }]);
  });
});
