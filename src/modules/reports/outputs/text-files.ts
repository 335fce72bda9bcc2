import { setImmediate as nextTurn } from 'node:timers/promises';
import { withoutFormulas } from '../../../kernel/formula.js';
import type { FileSink, Report } from './report.js';
import { groupedTable, kindOf, lineObjects, linesTable, type Cell, type Column, type Table } from './tables.js';

const CHUNK_LENGTH = 1 << 16;

type Encode = (text: string) => Buffer;
const toUtf8: Encode = (text) => Buffer.from(text);

/** Texts as bytes, in chunks. Gives way to the event loop after each chunk. */
export async function* chunksOf(texts: Iterable<string>, encode = toUtf8): AsyncGenerator<Buffer> {
  let pending = '';
  for (const text of texts) {
    pending += text;
    if (pending.length < CHUNK_LENGTH) continue;
    yield encode(pending);
    pending = '';
    await nextTurn();
  }
  yield encode(pending);
}

export async function writeTexts(file: FileSink, texts: Iterable<string>, encode = toUtf8): Promise<void> {
  for await (const chunk of chunksOf(texts, encode)) file.add(chunk);
}

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

/** The result as the API returns it; lines, of which there may be many, one per row. */
export const writeJson = (report: Report, file: FileSink): Promise<void> => writeTexts(file, jsonOf(report));

function* jsonOf(report: Report): Iterable<string> {
  const result = JSON.stringify(report.result, null, 2);
  if (report.options.detail === 'none') {
    yield `${result}\n`;
    return;
  }
  yield `${result.slice(0, -'\n}'.length)},\n  "lines": [`;
  let separator = '\n';
  for (const line of lineObjects(report)) {
    yield `${separator}    ${JSON.stringify(line)}`;
    separator = ',\n';
  }
  yield '\n  ]\n}\n';
}
