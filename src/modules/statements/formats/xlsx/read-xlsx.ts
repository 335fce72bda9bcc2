import { posix } from 'node:path';
import { text } from 'node:stream/consumers';
import { fail, JobFailure } from '../../../../kernel/failure.js';
import { entriesOf, type ZipEntry } from '../../../../kernel/zip-archive.js';
import { SAMPLE_ROWS } from '../csv/columns.js';
import type { Layout } from '../csv/layout.js';
import { TableLayouts } from '../csv/layouts/table-layouts.js';
import { readTable } from '../csv/read-table.js';
import type { CsvRecord } from '../csv/records.js';
import { MAX_UNPACKED_BYTES } from '../limits.js';
import { Counted } from '../line-checks.js';
import { nodeOf, nodesAt, plainMarkup, textAt, unescaped, type XmlNode } from '../markup.js';
import type { DraftReading, ReadingWarning } from '../statement-line.js';
import type { ReadingOptions } from '../statement-reader.js';
import { dayOfSerial, decimalsOf, exactDecimalOf, type NumberFormat, numberFormatsOf, roundedTo, writtenDecimal } from './cell-number.js';

const WORKBOOK_PATH = 'xl/workbook.xml';
/** The list of sheets and the styles are held in memory as a tree. */
const MAX_TREE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

interface Workbook {
  readonly sheets: readonly ZipEntry[];
  readonly strings: ZipEntry | null;
  readonly formatOf: (style: number) => NumberFormat;
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
}

export async function readWorkbook(entries: readonly ZipEntry[]): Promise<Workbook> {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const treeAt = async (path: string): Promise<XmlNode | null> => {
    const entry = byPath.get(path);
    return entry ? readTree(entry) : null;
  };
  const [book, relations] = [await treeAt(WORKBOOK_PATH), await treeAt('xl/_rels/workbook.xml.rels')];
  if (book === null || relations === null) return invalid();
  const targets = nodesAt(relations, 'Relationships/Relationship').map((relation) => ({
    id: textAt(relation, '@Id'),
    type: textAt(relation, '@Type')?.replace(/^.*\//, ''),
    path: posix.resolve('/xl', textAt(relation, '@Target') ?? '').slice(1),
  }));
  const pathOf = (type: string): string | undefined => targets.find((target) => target.type === type)?.path;
  const sheets = nodesAt(book, 'workbook/sheets/sheet').flatMap((sheet) => {
    const target = targets.find(({ id }) => id !== null && id === textAt(sheet, '@id'));
    if (target && target.type !== 'worksheet') return [];
    return [byPath.get(target?.path ?? '') ?? invalid()];
  });
  const is1904 = /^(1|true)$/.test(textAt(book, 'workbook/workbookPr/@date1904') ?? '');
  const strings = byPath.get(pathOf('sharedStrings') ?? '') ?? null;
  return { sheets, strings, is1904, formatOf: numberFormatsOf(await treeAt(pathOf('styles') ?? '')) };
}

/** The text of a part, with plain tags. */
const markupOf = (entry: ZipEntry): AsyncGenerator<string> => plainMarkup(piecesOf(entry));

// oxlint-disable-next-line typescript/require-await -- the readers of markup take what arrives over time
async function* piecesOf(entry: ZipEntry): AsyncGenerator<string> {
  const bytes = entry.content();
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const decoder = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8');
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
  yield decoder.decode();
}

async function readTree(entry: ZipEntry): Promise<XmlNode> {
  if (entry.size > MAX_TREE_BYTES)
    throw new JobFailure('entry_too_large', 'The workbook has a list of sheets or styles that is too large.');
  return nodeOf(await text(markupOf(entry))) ?? invalid();
}

const invalid = (): never => fail('invalid_markup', 'The workbook is damaged: its list of sheets cannot be read.');

const MAX_ELEMENT = 4 * 1024 * 1024;

interface XmlElement {
  readonly attributes: string;
  readonly content: string;
}

/** All elements of this name, which never contains itself, as the markup arrives; in batches. */
export async function* elementsOf(pieces: AsyncIterable<string>, name: string): AsyncGenerator<readonly XmlElement[]> {
  let rest = '';
  for await (const piece of pieces) {
    const { elements, unfinished } = cut(rest + piece, name);
    rest = unfinished;
    if (rest.length > MAX_ELEMENT) throw new JobFailure('entry_too_large', 'The workbook has a row or text that is too large.');
    if (elements.length > 0) yield elements;
  }
  if (rest) throw new JobFailure('incomplete_file', 'The workbook is incomplete: a row or text has no end.');
}

const elementsIn = (markup: string, name: string): readonly XmlElement[] => cut(markup, name).elements;

function attributeOf({ attributes }: XmlElement, name: string): string | null {
  const [, , value] = new RegExp(`\\s${name}\\s*=\\s*(["'])(.*?)\\1`, 's').exec(attributes) ?? [];
  return value ?? null;
}

/** The elements, and an element at the end that is not closed. What is between elements is not needed. */
function cut(markup: string, name: string): { elements: XmlElement[]; unfinished: string } {
  const opening = new RegExp(`<(?:\\w+:)?${name}(\\s[^<>]*?)?(/?)>`, 'g');
  const closing = new RegExp(`</(?:\\w+:)?${name}\\s*>`, 'g');
  const elements: XmlElement[] = [];
  for (let open = opening.exec(markup); open; open = opening.exec(markup)) {
    const attributes = open[1] ?? '';
    if (open[2] === '/') {
      elements.push({ attributes, content: '' });
      continue;
    }
    closing.lastIndex = opening.lastIndex;
    const close = closing.exec(markup);
    if (!close) return { elements, unfinished: markup.slice(open.index) };
    elements.push({ attributes, content: markup.slice(opening.lastIndex, close.index) });
    opening.lastIndex = closing.lastIndex;
  }
  return { elements, unfinished: '' };
}

const LIMITS = { files: 2000, unpackedBytes: MAX_UNPACKED_BYTES };
const MAX_SHEETS = 100;

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

/** A row with its number in the sheet, and the places of numbers that were rounded or have parts of a cent. */
interface SheetRow extends CsvRecord {
  readonly inexact: readonly number[];
}

/** Tables of bookings are not wider. Empty cells beyond it are ignored. */
const MAX_COLUMNS = 500;
const MAX_STRINGS = 1_000_000;
/** Amounts have at least these decimals, even if their cell shows fewer. */
const CENTS = 2;

type Texts = readonly string[];

async function readSharedStrings({ strings }: Workbook): Promise<Texts> {
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
