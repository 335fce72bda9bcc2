import type { DetailLine, DetailLines } from '../detail-line.js';
import type { Report } from '../report.js';
import {
  aboutTable,
  categoriesTable,
  categoryMonthsTable,
  controlsTable,
  evidenceTable,
  linesTable,
  monthsTable,
  otherCurrenciesTable,
  shownLines,
  statementsTable,
  totalsTable,
  warningsTable,
} from '../tables.js';
import type { Sheet } from './sheet.js';
import { workbookOf } from './workbook.js';

/** The maximum of a sheet. */
const ROWS_PER_SHEET = 1_048_576;

export const xlsxFile = (report: Report): Promise<Buffer> => workbookOf(sheetsOf(report), report.maxFileBytes);

function sheetsOf(report: Report): Sheet[] {
  const { result, options } = report;
  const byMonth = options.groupBy.includes('month');
  const sheets: Sheet[] = [summaryOf(report)];
  if (options.groupBy.includes('category'))
    sheets.push({ name: 'Categories', tables: [byMonth ? categoryMonthsTable(report) : categoriesTable(report)] });
  if (byMonth) sheets.push({ name: 'Months', tables: [monthsTable(result)] });
  sheets.push({
    name: 'Evidence',
    tables: [
      { title: 'Months', ...evidenceTable(result) },
      { title: 'Statements', ...statementsTable(result) },
    ],
  });
  return options.detail === 'lines' ? [...sheets, ...lineSheets(shownLines(report))] : sheets;
}

function summaryOf(report: Report): Sheet {
  const { result } = report;
  return {
    name: 'Summary',
    tables: [
      { title: 'Claim report', ...aboutTable(report) },
      { title: 'Totals', ...totalsTable(result) },
      { title: 'Other currencies', ...otherCurrenciesTable(result) },
      { title: 'Controls', ...controlsTable(result) },
      { title: 'Warnings', ...warningsTable(result) },
    ],
  };
}

/** Lines that do not fit on one sheet continue on the next. */
export function lineSheets(lines: DetailLines): Sheet[] {
  const perSheet = ROWS_PER_SHEET - 1;
  const sheets = Math.max(1, Math.ceil(lines.length / perSheet));
  return Array.from({ length: sheets }, (_value, index) => ({
    name: index === 0 ? 'Lines' : `Lines ${index + 1}`,
    tables: [linesTable(rangeOf(lines, index * perSheet, (index + 1) * perSheet))],
  }));
}

function* rangeOf(lines: DetailLines, from: number, to: number): Iterable<DetailLine> {
  let index = 0;
  for (const line of lines) {
    if (index >= to) return;
    if (index >= from) yield line;
    index += 1;
  }
}
