import { writeTexts } from './chunks.js';
import { withoutFormulas } from '../../../kernel/formula.js';
import type { FileSink, Report } from './report.js';
import { groupedTable, kindOf, linesTable, type Cell, type Column, type Table } from './tables.js';

/** Without it, Excel reads UTF-8 as the code page of the machine. */
const BYTE_ORDER_MARK = '\ufeff';

/** One table as CSV (RFC 4180): the lines if `detail` is `lines`, else the grouped result. */
export function writeCsv(report: Report, file: FileSink): Promise<void> {
  return writeTable(report.options.detail === 'lines' ? linesTable(report) : groupedTable(report), file);
}

export const writeTable = (table: Table, file: FileSink): Promise<void> => writeTexts(file, textsOf(table));

export const csvOf = (table: Table): string => [...textsOf(table)].join('');

function* textsOf({ columns, rows }: Table): Iterable<string> {
  yield `${BYTE_ORDER_MARK}${columns.map(({ name }) => name).join(',')}\r\n`;
  for (const row of rows) yield `${row.map((cell, index) => fieldOf(columns[index]!, cell)).join(',')}\r\n`;
}

function fieldOf(column: Column, cell: Cell): string {
  if (cell === null) return '';
  if (kindOf(column, cell) === 'number') return cell;
  const text = withoutFormulas(cell);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
