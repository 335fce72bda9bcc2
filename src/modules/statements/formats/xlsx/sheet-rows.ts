import { JobFailure } from '../../../../kernel/failure.js';
import type { ZipEntry } from '../../../../kernel/zip-archive.js';
import type { CsvRecord } from '../csv/records.js';
import { unescaped } from '../plain-markup.js';
import { dayOfSerial, decimalsOf, exactDecimalOf, roundedTo, writtenDecimal } from './cell-number.js';
import { attributeOf, elementsIn, elementsOf, markupOf, type Workbook, type XmlElement } from './workbook.js';

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
