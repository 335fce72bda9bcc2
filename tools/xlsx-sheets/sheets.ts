export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Excel refuses to open a file with a longer cell. */
const MAX_CELL_LENGTH = 32_767;

/** Characters that XML cannot contain or would change are written like Excel does, as `_x0007_`; so is a text that looks like that. */
const needsEscape = /_(?=x[\dA-Fa-f]{4}_)|[\0-\x08\x0b-\x1f\ufffe\uffff&<>]/g;

/** A text without control characters, such as a formula or an attribute. */
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

export const cellText = (text: string): string =>
  text.slice(0, MAX_CELL_LENGTH).replace(needsEscape, (character) => ENTITIES[character] ?? `_x${hexOf(character)}_`);

/** How a value is shown. A number has `decimals`, and up to `upTo` if it needs more; decimal points stay below one another. */
type Format = 'text' | 'date' | 'month' | 'time' | { readonly decimals: number; readonly upTo?: number };

const LOOKS = {
  plain: { font: 0, fill: 0, border: 0 },
  /** In a list with a name beside each value. */
  fact: { font: 0, fill: 0, border: 0 },
  claim: { font: 1, fill: 0, border: 0 },
  subtotal: { font: 1, fill: 0, border: 0 },
  total: { font: 1, fill: 0, border: 2 },
  heading: { font: 1, fill: 2, border: 1 },
  title: { font: 2, fill: 0, border: 0 },
} as const;
export type Look = keyof typeof LOOKS;

/** Looks whose numbers and dates begin at the left, as texts do. */
const AT_LEFT: readonly Look[] = ['fact', 'claim'];

const MAX_DECIMALS = 10;
/** Ids below 164 are built in: 49 is text. */
const TEXT_FORMAT = 49;
const FIRST_OWN_FORMAT = 164;
const CODES = { text: '@', date: 'yyyy\\-mm\\-dd', month: 'mmm\\ yyyy', time: 'yyyy\\-mm\\-dd\\ hh:mm' };

/** The styles that the cells of a workbook have. A cell refers to its style by a number. */
export class Styles {
  private readonly numbers = new Map<string, number>();
  private readonly formats: string[] = [];
  private readonly written = ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'];

  numberOf(format: Format, look: Look = 'plain'): number {
    const key = `${look} ${typeof format === 'string' ? format : `${format.decimals} ${format.upTo}`}`;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.written.push(styleXml(look, format === 'text', this.formatIdOf(codeOf(format)))) - 1;
      this.numbers.set(key, number);
    }
    return number;
  }

  /** To be read after all cells were written. */
  *xml(): Iterable<string> {
    yield stylesXml(this.formats, this.written);
  }

  private formatIdOf(code: string): number {
    if (code === CODES.text) return TEXT_FORMAT;
    if (!this.formats.includes(code)) this.formats.push(code);
    return FIRST_OWN_FORMAT + this.formats.indexOf(code);
  }
}

function codeOf(format: Format): string {
  if (typeof format === 'string') return CODES[format];
  const { decimals, upTo = decimals } = format;
  const [always, atMost] = [Math.min(decimals, MAX_DECIMALS), Math.min(upTo, MAX_DECIMALS)];
  return atMost === 0 ? '#,##0' : `#,##0.${'0'.repeat(always)}${'?'.repeat(Math.max(0, atMost - always))}`;
}

/** The text format keeps an edited text from becoming a formula. Headings stand over their column: those of numbers to the right. */
function styleXml(look: Look, isText: boolean, format: number): string {
  const { font, fill, border } = LOOKS[look];
  const indent = look === 'title' ? '' : ' indent="1"';
  const side = isText || AT_LEFT.includes(look) ? `horizontal="left"${indent}` : 'horizontal="right"';
  const wrap = look === 'heading' || (isText && look !== 'title') ? ' wrapText="1"' : '';
  return (
    `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" ` +
    `applyFill="1" applyBorder="1" applyAlignment="1"><alignment ${side} vertical="top"${wrap}/></xf>`
  );
}

const font = (size: number, more = '') => `<font>${more}<sz val="${size}"/><name val="Calibri"/><family val="2"/></font>`;
const border = (edges = '<left/><right/><top/><bottom/>') => `<border>${edges}<diagonal/></border>`;
const edge = (side: string) => `<${side} style="thin"><color rgb="FF7A8FA6"/></${side}>`;
const list = (name: string, items: readonly string[]) => `<${name} count="${items.length}">${items.join('')}</${name}>`;
const formatXml = (code: string, index: number) => `<numFmt numFmtId="${FIRST_OWN_FORMAT + index}" formatCode="${code}"/>`;

const stylesXml = (formats: readonly string[], written: readonly string[]): string =>
  [
    `${XML}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`,
    list('numFmts', formats.map(formatXml)),
    list('fonts', [font(11), font(11, '<b/>'), font(16, '<b/>')]),
    list('fills', [
      '<fill><patternFill patternType="none"/></fill>',
      '<fill><patternFill patternType="gray125"/></fill>',
      '<fill><patternFill patternType="solid"><fgColor rgb="FFE8EEF4"/><bgColor indexed="64"/></patternFill></fill>',
    ]),
    list('borders', [border(), border(`<left/><right/><top/>${edge('bottom')}`), border(`<left/><right/>${edge('top')}<bottom/>`)]),
    list('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
    list('cellXfs', written),
    list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
    '</styleSheet>',
  ].join('');

/** A value, and the formula that it is the result of. null is an empty cell. */
interface FilledCell {
  /** A text, an exact decimal, a date `2026-03-31`, a month `2026-03` or a time as ISO 8601. */
  readonly value: string;
  readonly format: Format;
  readonly look?: Look;
  readonly formula?: string;
}
export type Cell = FilledCell | null;

export const text = (value: string | null, look?: Look): Cell => (value === null ? null : { value, format: 'text', look });
/** A heading over numbers stands to the right, as they do. */
export const heading = (value: string, format: 'text' | 'number' = 'text'): Cell => ({
  value,
  format: format === 'text' ? 'text' : { decimals: 0 },
  look: 'heading',
});
export const filler = (count: number, look?: Look): Cell[] => Array.from({ length: count }, () => text('', look));

export const date = (value: string | null): Cell => (value === null ? null : { value, format: 'date' });
export const month = (value: string, look?: Look): Cell => ({ value, format: 'month', look });

/** A number with all its decimals, or with those of its column. */
export function number(value: string | null, { decimals = decimalsOf(value), upTo, ...more }: NumberOptions = {}): Cell {
  return value === null ? null : { value, format: { decimals, upTo }, ...more };
}

interface NumberOptions {
  readonly decimals?: number;
  readonly upTo?: number;
  readonly look?: Look;
  readonly formula?: string;
}

export const decimalsOf = (decimal: string | null): number => (decimal?.includes('.') ? decimal.length - decimal.indexOf('.') - 1 : 0);

const UNIX_EPOCH_SERIAL = 25_569;
const MS_PER_DAY = 86_400_000;
const DAY = /^\d{4}-\d{2}(-\d{2}(T.*Z)?)?$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

function cellXml({ value, format, look, formula }: FilledCell, reference: string, styles: Styles): string {
  const numeric = numericValue(value, format);
  // A text in a column of numbers, such as its heading, may stand where they do.
  if (numeric === undefined) return inlineText(value, reference, styles.numberOf(look ? format : 'text', look));
  const made = formula === undefined ? '' : `<f>${escaped(formula)}</f>`;
  return `<c r="${reference}" s="${styles.numberOf(format, look)}">${made}<v>${numeric}</v></c>`;
}

/** What a number, a date or a time is stored as. Undefined for all that has to be a text. */
function numericValue(value: string, format: Format): string | undefined {
  if (format === 'text') return undefined;
  if (typeof format === 'object') return DECIMAL.test(value) ? value : undefined;
  return DAY.test(value) ? String(Number((Date.parse(value) / MS_PER_DAY + UNIX_EPOCH_SERIAL).toFixed(6))) : undefined;
}

/** An inline text is never read as a formula. */
function inlineText(value: string, reference: string, style: number): string {
  const space = value.trim() === value ? '' : ' xml:space="preserve"';
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t${space}>${cellText(value)}</t></is></c>`;
}

const LETTERS = 26;
const FIRST_LETTER = 'A'.charCodeAt(0);

/** `A` for the first column, `AA` for the 27th. */
export function letterOf(index: number): string {
  const before = index < LETTERS ? '' : letterOf(Math.floor(index / LETTERS) - 1);
  return before + String.fromCharCode(FIRST_LETTER + (index % LETTERS));
}

/** The cells of a column from a row to another: `E2:E7`. */
export const columnRange = (column: number, first: number, last: number): string =>
  `${letterOf(column)}${first}:${letterOf(column)}${last}`;

/** The same, wherever a formula is copied to: `Items!$E$2:$E$7`. */
export const fixedRange = (sheet: string, column: number, first: number, last: number): string =>
  `${quotedName(sheet)}!$${letterOf(column)}$${first}:$${letterOf(column)}$${last}`;

/** The top left part of a sheet up to a cell. */
export const fixedArea = (sheet: string, columns: number, rows: number): string =>
  `${quotedName(sheet)}!$A$1:$${letterOf(columns - 1)}$${rows}`;

export const quotedName = (sheet: string): string => `'${sheet}'`;

const LINE_HEIGHT = 15;
const TITLE_HEIGHT = 24;
/** No program shows a higher row. */
const MAX_HEIGHT = 409;
/** What the indent and the edges of a cell take of its width, in characters. */
const EDGES = 1.5;

/** The height of a row whose texts need several lines. Programs do not all find it themselves. */
function heightXml(cells: readonly Cell[], widths: readonly number[]): string {
  let lines = 1;
  cells.forEach((cell, index) => {
    if (cell === null || cell.look === 'title' || !(cell.format === 'text' || cell.look === 'heading')) return;
    lines = Math.max(lines, linesOf(cell.value, widths[index]! - EDGES));
  });
  if (cells[0]?.look === 'title') return heightOf(TITLE_HEIGHT);
  return lines === 1 ? '' : heightOf(Math.min(MAX_HEIGHT, lines * LINE_HEIGHT));
}

const heightOf = (points: number): string => ` ht="${points}" customHeight="1"`;

/** Texts break after blanks and hyphens, and a word that is longer than a line anywhere. */
function linesOf(text: string, width: number): number {
  if (text.length <= width && !text.includes('\n')) return 1;
  return text.split('\n').reduce((lines, paragraph) => lines + linesOfParagraph(paragraph, width), 0);
}

function linesOfParagraph(paragraph: string, width: number): number {
  let lines = 1;
  let used = 0;
  for (const word of paragraph.split(/(?<=[ -])/)) {
    if (used > 0 && used + word.trimEnd().length > width) {
      lines += 1;
      used = 0;
    }
    lines += Math.max(0, Math.ceil(word.trimEnd().length / width) - 1);
    used += word.length;
  }
  return lines;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Whether a click on the row of a subtotal hides it. */
  readonly isDetail?: boolean;
}

export interface Sheet {
  readonly name: string;
  /** Of the columns, in characters. */
  readonly widths: readonly number[];
  readonly rows: Iterable<Row>;
  readonly rowCount: number;
  /** For a sheet that is one table: its first row stays in view and is printed on every page. Rows up to `last` can be filtered. */
  readonly table?: { readonly last: number };
}

interface SheetOptions {
  readonly isFirst: boolean;
  readonly paperSize: 'a4' | 'letter';
  /** What stands at the foot of each page: `Page &P of &N`. */
  readonly page: string;
  readonly styles: Styles;
}

const FROZEN_HEADING =
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/>';
const PAPERS = { a4: 9, letter: 1 };

/** The order of the elements is that of the format: a program refuses a file with another order. */
export function* sheetXml({ widths, rows, rowCount, table }: Sheet, { isFirst, paperSize, page, styles }: SheetOptions): Iterable<string> {
  yield `${XML}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`;
  yield '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>';
  yield `<dimension ref="A1:${letterOf(widths.length - 1)}${Math.max(1, rowCount)}"/>`;
  yield `<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">`;
  yield `${table ? FROZEN_HEADING : ''}</sheetView></sheetViews>`;
  yield '<sheetFormatPr defaultRowHeight="15" outlineLevelRow="1"/>';
  yield `<cols>${widths.map(columnXml).join('')}</cols><sheetData>`;
  yield* rowsXml(rows, widths, styles);
  yield '</sheetData>';
  if (table) yield `<autoFilter ref="A1:${letterOf(widths.length - 1)}${table.last}"/>`;
  yield '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.3"/>';
  yield `<pageSetup paperSize="${PAPERS[paperSize]}" orientation="landscape" fitToWidth="1" fitToHeight="0"/>`;
  yield `<headerFooter><oddFooter>${escaped(`&L&A&R${page}`)}</oddFooter></headerFooter></worksheet>`;
}

const columnXml = (width: number, index: number): string => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;

function* rowsXml(rows: Iterable<Row>, widths: readonly number[], styles: Styles): Iterable<string> {
  let number = 0;
  for (const { cells, isDetail } of rows) {
    number += 1;
    const written = cells.map((cell, index) => (cell === null ? '' : cellXml(cell, `${letterOf(index)}${number}`, styles)));
    yield `<row r="${number}"${heightXml(cells, widths)}${isDetail ? ' outlineLevel="1"' : ''}>${written.join('')}</row>`;
  }
}

/** Adds up what is shown of the rows, if there are any. Leaves out other subtotals among them. */
export const subtotalOf = (column: number, first: number, last: number): string | undefined =>
  last < first ? undefined : `SUBTOTAL(9,${columnRange(column, first, last)})`;
