import { Counted, readSheets, UnreadableFile } from '../../bank-files/index.js';
import type { CsvRecord, ReadingWarning, Sheet, SheetRow } from '../../bank-files/index.js';
import { SAMPLE_ROWS } from '../csv/columns.js';
import type { Layout } from '../csv/layout.js';
import { TableLayouts } from '../csv/layouts/table-layouts.js';
import { readTable } from '../csv/read-table.js';
import type { DraftReading, TableOptions } from '../reading.js';

/** Reads the one sheet of a workbook that has bookings, as a CSV of its cells would be read. */
export async function readWorkbook(entries: Parameters<typeof readSheets>[0], options: TableOptions): Promise<DraftReading> {
  const sheets = await readSheets(entries, SAMPLE_ROWS);
  const { sheet, layout } = chosen(sheets, new TableLayouts(options));
  const width = widthOf(sheet);
  const inexact = new InexactAmounts(layout);
  const reading = readTable(
    { sample: sheet.sample.map((row) => widened(row, width)), records: inexact.watched(sheet.rows(), width) },
    options,
    layout,
  );
  // Cells say more of parts of a cent than the amounts that were read of them.
  const others = (): ReadingWarning[] => (reading.warnings?.() ?? []).filter(({ code }) => code !== 'amount_inexact');
  return { ...reading, warnings: () => [...others(), ...inexact.warnings] };
}

/** The only sheet with a header of bookings; without one, the only sheet that is not empty. */
function chosen(sheets: readonly Sheet[], layouts: TableLayouts): { sheet: Sheet; layout: Layout } {
  const tables = sheets.flatMap((sheet) => {
    const layout = layouts.withHeader(sheet.sample);
    return layout ? [{ sheet, layout }] : [];
  });
  const [table, ...others] = tables;
  if (others.length > 0) {
    const numbers = tables.map(({ sheet }) => sheet.number).join(', ');
    throw new UnreadableFile(
      'several_sheets',
      `Several sheets of the workbook have bookings (${numbers}). Import each as a file of its own.`,
    );
  }
  if (table) return table;
  const filled = sheets.filter(({ sample }) => sample.length > 0);
  if (filled.length === 0) throw new UnreadableFile('empty_file', 'The workbook is empty.');
  const [sheet] = filled.length === 1 ? filled : [];
  const layout = sheet && layouts.withoutHeader(sheet.sample.map((row) => widened(row, widthOf(sheet))));
  if (!layout) throw layouts.notFound(filled.map(({ sample }) => sample));
  return { sheet, layout };
}

const widthOf = ({ sample }: Sheet): number => Math.max(0, ...sample.map(({ cells }) => cells.length));

/** Rows end with their last cell that is not empty, but the rows of a table have one length. */
const widened = ({ cells, line, numbers }: SheetRow, width: number): CsvRecord => ({
  cells: cells.length < width ? [...cells, ...Array<string>(width - cells.length).fill('')] : cells,
  line,
  numbers,
});

/** Finds amounts with more decimals than their cells show, or with parts of a cent. */
class InexactAmounts extends Counted<number> {
  private readonly columns: ReadonlySet<number>;

  constructor({ columns }: Layout) {
    super();
    this.columns = new Set((['amount', 'debit', 'credit', 'fee'] as const).flatMap((column) => columns.get(column) ?? []));
  }

  get warnings(): ReadingWarning[] {
    if (this.count === 0) return [];
    const more = this.count > 1 ? ` (and ${this.count - 1} more rows)` : '';
    const message =
      `Row ${this.first}${more} has an amount with parts of a cent. ` +
      'It was rounded to the decimals that its cell shows, if its format has any.';
    return [{ code: 'amount_inexact', message }];
  }

  async *watched(rows: AsyncIterable<SheetRow>, width: number): AsyncGenerator<CsvRecord> {
    for await (const row of rows) {
      if (row.inexact.some((column) => this.columns.has(column))) this.add(row.line);
      yield widened(row, width);
    }
  }
}
