import { JobFailure } from '../../../../kernel/failure.js';
import { entriesOf, type ZipEntry } from '../../../../kernel/zip-archive.js';
import type { Layout } from '../csv/layout.js';
import { TableLayouts } from '../csv/layouts/table-layouts.js';
import { readTable } from '../csv/read-table.js';
import type { CsvRecord } from '../csv/records.js';
import { MAX_UNPACKED_BYTES } from '../limits.js';
import { unescaped } from '../plain-markup.js';
import type { DraftReading, ReadingWarning } from '../statement-line.js';
import type { ReadingOptions } from '../statement-reader.js';
import { dayOfSerial, decimalsOf, exactDecimalOf, roundedTo, writtenDecimal } from './cell-number.js';
import { WORKBOOK_PATH, readWorkbook, attributeOf, elementsIn, elementsOf, markupOf, type Workbook, type XmlElement } from './workbook.js';

const LIMITS = { files: 2000, unpackedBytes: MAX_UNPACKED_BYTES };
const MAX_SHEETS = 100;
/** The first rows of a sheet, in which its header has to be. */
const SAMPLE_ROWS = 200;

interface Sheet {
  readonly number: number;
  readonly rows: () => AsyncIterable<SheetRow>;
  readonly sample: readonly SheetRow[];
}

/** Reads the one sheet of a workbook that has bookings, as a CSV of its cells would be read. */
export async function readXlsx(file: Buffer, options: ReadingOptions): Promise<DraftReading> {
  const sheets = await readSheets(bookEntriesOf(file));
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

function bookEntriesOf(file: Buffer): readonly ZipEntry[] {
  const entries = entriesOf(file, LIMITS);
  const paths = new Set(entries.map(({ path }) => path));
  if (paths.has(WORKBOOK_PATH)) return entries;
  const advice = 'Import the statement as CSV or XLSX.';
  if (paths.has('xl/workbook.bin')) throw notSupported(`The file is a binary Excel workbook (XLSB). ${advice}`);
  if (paths.has('content.xml')) throw notSupported(`The file is an OpenDocument file. ${advice}`);
  throw notSupported(
    'The file is a ZIP archive. `claims statement import` imports each of its files as a statement, but no archives in it.',
  );
}

const notSupported = (message: string): JobFailure => new JobFailure('format_not_supported', message);

async function readSheets(entries: readonly ZipEntry[]): Promise<readonly Sheet[]> {
  const workbook = await readWorkbook(entries);
  if (workbook.sheets.length > MAX_SHEETS) throw new JobFailure('entry_too_large', `The workbook has more than ${MAX_SHEETS} sheets.`);
  const texts = await readSharedStrings(workbook);
  const sheets: Sheet[] = [];
  for (const [index, entry] of workbook.sheets.entries()) {
    const rows = (): AsyncIterable<SheetRow> => rowsOf(entry, workbook, texts);
    sheets.push({ number: index + 1, rows, sample: await takeFirst(rows(), SAMPLE_ROWS) });
  }
  return sheets;
}

async function takeFirst<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const first: T[] = [];
  for await (const item of items) {
    first.push(item);
    if (first.length >= count) break;
  }
  return first;
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
    throw new JobFailure('several_sheets', `Several sheets of the workbook have bookings (${numbers}). Import each as a file of its own.`);
  }
  if (table) return table;
  const filled = sheets.filter(({ sample }) => sample.length > 0);
  if (filled.length === 0) throw new JobFailure('empty_file', 'The workbook is empty.');
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
class InexactAmounts {
  private readonly columns: ReadonlySet<number>;
  private first: number | null = null;
  private count = 0;

  constructor({ columns }: Layout) {
    this.columns = new Set((['amount', 'debit', 'credit', 'fee'] as const).flatMap((column) => columns.get(column) ?? []));
  }

  get warnings(): ReadingWarning[] {
    if (this.first === null) return [];
    const more = this.count > 1 ? ` (and ${this.count - 1} more rows)` : '';
    const message =
      `Row ${this.first}${more} has an amount with parts of a cent. ` +
      'It was rounded to the decimals that its cell shows, if its format has any.';
    return [{ code: 'amount_inexact', message }];
  }

  async *watched(rows: AsyncIterable<SheetRow>, width: number): AsyncGenerator<CsvRecord> {
    for await (const row of rows) {
      if (row.inexact.some((column) => this.columns.has(column))) {
        this.first ??= row.line;
        this.count += 1;
      }
      yield widened(row, width);
    }
  }
}

/** A row with its number in the sheet, and the places of numbers that were rounded or have parts of a cent. */
export interface SheetRow extends CsvRecord {
  readonly inexact: readonly number[];
}

/** Tables of bookings are not wider. Empty cells beyond it are ignored. */
const MAX_COLUMNS = 500;
const MAX_STRINGS = 1_000_000;
/** Amounts have at least these decimals, even if their cell shows fewer. */
const CENTS = 2;

type Texts = readonly string[];

/** The texts that cells refer to by number. */
export async function readSharedStrings({ strings }: Workbook): Promise<Texts> {
  const texts: string[] = [];
  if (strings === null) return texts;
  for await (const items of elementsOf(markupOf(strings), 'si')) {
    for (const { content } of items) texts.push(richTextOf(content));
    if (texts.length > MAX_STRINGS) throw new JobFailure('entry_too_large', 'The workbook has too many texts.');
  }
  return texts;
}

export async function* rowsOf(sheet: ZipEntry, workbook: Workbook, texts: Texts): AsyncGenerator<SheetRow> {
  let line = 0;
  for await (const rows of elementsOf(markupOf(sheet), 'row')) {
    for (const row of rows) {
      line = Number(attributeOf(row, 'r') ?? line + 1);
      const read = rowOf(row, line, workbook, texts);
      if (read.cells.some(Boolean)) yield read;
    }
  }
}

function rowOf(row: XmlElement, line: number, workbook: Workbook, texts: Texts): SheetRow {
  const cells: string[] = [];
  const [inexact, numbers] = [[] as number[], new Set<number>()];
  let column = -1;
  for (const cell of elementsIn(row.content, 'c')) {
    column = columnOf(attributeOf(cell, 'r')) ?? column + 1;
    const { text, isInexact = false, isNumber = false } = valueOf(cell, workbook, texts);
    if (!text) continue;
    if (column >= MAX_COLUMNS) throw new JobFailure('invalid_line', `Row ${line} has more than ${MAX_COLUMNS} cells.`);
    while (cells.length < column) cells.push('');
    cells[column] = text;
    if (isInexact) inexact.push(column);
    if (isNumber) numbers.add(column);
  }
  return { cells, line, inexact, numbers };
}

/** From a reference such as `C5`. */
function columnOf(reference: string | null): number | null {
  const [, letters] = /^([A-Z]{1,3})\d+$/.exec(reference ?? '') ?? [];
  if (letters === undefined) return null;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

interface CellValue {
  readonly text: string;
  readonly isInexact?: boolean;
  readonly isNumber?: boolean;
}

function valueOf(cell: XmlElement, workbook: Workbook, texts: Texts): CellValue {
  const type = attributeOf(cell, 't') ?? 'n';
  if (type === 'inlineStr') return { text: richTextOf(cell.content).trim() };
  const value = elementsIn(cell.content, 'v')[0]?.content.trim() ?? '';
  // A formula that was never computed. Where a date or an amount is needed, it is refused.
  if (!value) return { text: /<(?:\w+:)?f[\s>]/.test(cell.content) ? '#VALUE!' : '' };
  if (type === 's') return { text: (texts[Number(value)] ?? '#REF!').trim() };
  return type === 'n' ? numberOf(value, Number(attributeOf(cell, 's') ?? 0), workbook) : { text: unescaped(value).trim() };
}

function numberOf(value: string, style: number, { formatOf, is1904 }: Workbook): CellValue {
  const { isDate, decimals, currency } = formatOf(style);
  if (isDate) return { text: dayOfSerial(value, is1904) ?? '#DATE!' };
  const exact = exactDecimalOf(value);
  if (exact === null) return { text: '#NUM!' };
  const shown = decimals === null ? exact : roundedTo(exact, Math.max(decimals, CENTS));
  const text = writtenDecimal(shown);
  return {
    text: currency === null ? text : `${text} ${currency}`,
    isNumber: true,
    isInexact: decimalsOf(exact) > Math.max(decimals ?? 0, CENTS),
  };
}

/** A text may consist of parts with different fonts. Hints for pronunciation are not part of it. */
const richTextOf = (markup: string): string =>
  elementsIn(markup.replace(/<(?:\w+:)?rPh[\s>].*?<\/(?:\w+:)?rPh>/gs, ''), 't')
    .map(({ content }) => unescaped(content))
    .join('');
