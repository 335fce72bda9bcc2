import { posix } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CsvRecord } from '../csv-records.js';
import { nodeOf, nodesAt, plainMarkup, textAt, unescaped, type XmlNode } from '../markup.js';
import { fail, UnreadableFile } from '../unreadable-file.js';
import { dayOfSerial, decimalsOf, exactDecimalOf, type NumberFormat, numberFormatsOf, roundedTo, writtenDecimal } from './cell-number.js';

/** A file of the archive that a workbook is. */
export interface PackedFile {
  readonly path: string;
  readonly size: number;
  readonly content: () => Buffer;
}

export const WORKBOOK_PATH = 'xl/workbook.xml';
/** The list of sheets and the styles are held in memory as a tree. */
const MAX_TREE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

interface Workbook {
  readonly sheets: readonly PackedFile[];
  readonly strings: PackedFile | null;
  readonly formatOf: (style: number) => NumberFormat;
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
}

async function readWorkbook(entries: readonly PackedFile[]): Promise<Workbook> {
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
const markupOf = (entry: PackedFile): AsyncGenerator<string> => plainMarkup(piecesOf(entry));

// oxlint-disable-next-line typescript/require-await -- the readers of markup take what arrives over time
async function* piecesOf(entry: PackedFile): AsyncGenerator<string> {
  const bytes = entry.content();
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const decoder = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8');
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
  yield decoder.decode();
}

async function readTree(entry: PackedFile): Promise<XmlNode> {
  if (entry.size > MAX_TREE_BYTES)
    throw new UnreadableFile('entry_too_large', 'The workbook has a list of sheets or styles that is too large.');
  return nodeOf(await text(markupOf(entry))) ?? invalid();
}

const invalid = (): never => fail('invalid_markup', 'The workbook is damaged: its list of sheets cannot be read.');

const MAX_ELEMENT = 4 * 1024 * 1024;

interface XmlElement {
  readonly attributes: string;
  readonly content: string;
}

/** All elements of this name, which never contains itself, as the markup arrives; in batches. */
async function* elementsOf(pieces: AsyncIterable<string>, name: string): AsyncGenerator<readonly XmlElement[]> {
  let rest = '';
  for await (const piece of pieces) {
    const { elements, unfinished } = cut(rest + piece, name);
    rest = unfinished;
    if (rest.length > MAX_ELEMENT) throw new UnreadableFile('entry_too_large', 'The workbook has a row or text that is too large.');
    if (elements.length > 0) yield elements;
  }
  if (rest) throw new UnreadableFile('incomplete_file', 'The workbook is incomplete: a row or text has no end.');
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

const MAX_SHEETS = 100;

export interface Sheet {
  readonly number: number;
  readonly rows: () => AsyncIterable<SheetRow>;
  readonly sample: readonly SheetRow[];
}

/** All sheets, each with its first rows. */
export async function readSheets(entries: readonly PackedFile[], sampleRows: number): Promise<readonly Sheet[]> {
  const workbook = await readWorkbook(entries);
  if (workbook.sheets.length > MAX_SHEETS) throw new UnreadableFile('entry_too_large', `The workbook has more than ${MAX_SHEETS} sheets.`);
  const texts = await readSharedStrings(workbook);
  const sheets: Sheet[] = [];
  for (const [index, entry] of workbook.sheets.entries()) {
    const rows = (): AsyncIterable<SheetRow> => rowsOf(entry, workbook, texts);
    sheets.push({ number: index + 1, rows, sample: await takeFirst(rows(), sampleRows) });
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

async function readSharedStrings({ strings }: Workbook): Promise<Texts> {
  const texts: string[] = [];
  if (strings === null) return texts;
  for await (const items of elementsOf(markupOf(strings), 'si')) {
    for (const { content } of items) texts.push(richTextOf(content));
    if (texts.length > MAX_STRINGS) throw new UnreadableFile('entry_too_large', 'The workbook has too many texts.');
  }
  return texts;
}

async function* rowsOf(sheet: PackedFile, workbook: Workbook, texts: Texts): AsyncGenerator<SheetRow> {
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
    if (column >= MAX_COLUMNS) throw new UnreadableFile('invalid_line', `Row ${line} has more than ${MAX_COLUMNS} cells.`);
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
