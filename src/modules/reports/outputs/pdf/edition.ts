import { type Say, type Wording, wordingOf } from '../../../../api/wording/wording.js';
import type { FileSink, Report } from '../report.js';
import { type ColumnName, type NameOfStatement, namesOf } from '../wording/sentences.js';
import { COLOURS, LINE_HEIGHT, Paper, spanColumns, type Texts, type TextStyle } from '../../../../../tools/tagged-pdf/index.js';

/** A report that is being written in a language on paper. */
export interface Edition extends Wording {
  readonly report: Report;
  readonly paper: Paper;
  readonly money: (amount: string) => string;
  readonly nameOf: NameOfStatement;
}

const REPORT = { titleOf: (say: Say): string => say('report.title'), isLandscape: false };

export function editionOf(report: Report, file: FileSink, { titleOf, isLandscape } = REPORT): Edition {
  const { options, about, result } = report;
  const wording = wordingOf(options.locale);
  const paper = new Paper({
    title: [titleOf(wording.say), about.configuration, about.project].filter(Boolean).join(' \u2013 '),
    language: wording.language,
    size: options.paperSize ?? (options.locale === 'en-US' ? 'letter' : 'a4'),
    isLandscape,
    createdAt: new Date(about.startedAt),
    file,
  });
  return {
    ...wording,
    report,
    paper,
    money: (amount) => [result.currency, wording.formats.number(amount)].filter(Boolean).join('\u00a0'),
    nameOf: namesOf(report.statements),
  };
}

/** Ends the document, with a title and the run at the head of its pages. */
export function finish({ paper, say, report }: Edition, title: string): Promise<void> {
  const run = `${say('report.fields.run')} \u2026${report.about.runId.slice(-RUN_CHARACTERS)}`;
  return paper.finish({ above: [title, run], below: (page, count) => ['', say('report.page', { page, count })] });
}

/** The first characters are those of all runs of the same minute. */
const RUN_CHARACTERS = 12;

/** Columns of a kind, with the headings that tables have in all files. */
export const columnsNamed = ({ say }: Edition, is: Column['is'], ...names: readonly ColumnName[]): Column[] =>
  names.map((name) => ({ heading: say(`report.columns.${name}`), is }));

/** A heading, with room for what it is about. */
export function drawHeading({ paper }: Pick<Edition, 'paper'>, text: string, level: 1 | 2 | 3): void {
  paper.needRoom(level === 2 ? 210 : 120);
  if (level === 2 && paper.y > paper.top) paper.y += 8;
  paper.write(`H${level}`, text, { size: [20, 13, 9.5][level - 1], bold: true, colour: level === 2 ? COLOURS.accent : COLOURS.ink }, 5);
}

export const drawNote = ({ paper }: Pick<Edition, 'paper'>, text: string): void => paper.write('P', text, { colour: COLOURS.quiet }, 8);

const LABEL_WIDTH = 112;

/** A label and its value; null if it is not known. */
export type Field = readonly [label: string, value: string | null];

/** A list of what is known. */
export function drawFields(edition: Edition, fields: readonly Field[]): void {
  edition.paper.inside('Table', () => {
    for (const [label, value] of fields) if (value !== null) drawField(edition, label, value);
  });
}

function drawField({ paper }: Edition, label: string, value: string): void {
  const [name, text] = [
    { size: 9, colour: COLOURS.quiet, width: LABEL_WIDTH },
    { size: 9, x: paper.left + LABEL_WIDTH + 8, width: paper.width - LABEL_WIDTH - 8 },
  ];
  const [names, texts] = [paper.linesOf(label, name), paper.linesOf(value, text)];
  const height = Math.max(names.length, texts.length) * 12 + 6;
  paper.needRoom(height);
  paper.inside('TR', () => {
    paper.inside('TH', () => paper.mark(() => paper.drawLines(names, paper.y, name)), { scope: 'Row' });
    paper.inside('TD', () => paper.mark(() => paper.drawLines(texts, paper.y, text)));
  });
  paper.y += height;
}

export interface Column {
  readonly heading: string;
  /** Numbers are right-aligned and get the width they need. Texts share the rest. A table with marks has columns of equal width. */
  readonly is: 'text' | 'number' | 'mark';
}

export interface Row {
  readonly cells: readonly Texts[];
  /** Sums and notes stay on the page of the row before them. */
  readonly is?: 'sum' | 'note';
  /** The first cell takes the place of this many columns. */
  readonly span?: number;
  /** Shaded. Its texts must say the same, for readers who cannot see it. */
  readonly isMarked?: boolean;
}

interface Box {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right' | 'center';
}

interface LaidOut {
  readonly lines: readonly (readonly string[])[];
  readonly boxes: readonly Box[];
  readonly height: number;
  readonly style: TextStyle;
  readonly span: number;
  readonly isMarked: boolean;
}

const SIZE = 7;
const GAP = 8;
const PADDING = 3;
const LEAST_TEXT = 42;
const ALIGNMENTS = { text: 'left', number: 'right', mark: 'center' } as const;
const CELL: TextStyle = { size: SIZE };
const STRONG: TextStyle = { size: SIZE, bold: true };
const STYLES = { item: CELL, sum: STRONG, note: { size: SIZE, colour: COLOURS.quiet } };
const HEADING: TextStyle = { size: 6.5, bold: true, colour: COLOURS.quiet };

/** Draws a table, repeats its heading on every page, and moves on. */
export function drawTable(paper: Paper, columns: readonly Column[], rows: readonly Row[], gap = 16): void {
  const boxes = boxesOf(paper, columns, rows);
  const heading = layOut(paper, { cells: columns.map((column) => column.heading) }, boxes, HEADING);
  const room = paper.pageHeight - heading.height;
  const blocks = blocksOf(paper, rows, boxes, room);
  const heightOf = (block: readonly LaidOut[]) => block.reduce((sum, { height }) => sum + height, 0);
  paper.inside('Table', () => {
    paper.needRoom(heading.height + heightOf(blocks[0] ?? []));
    paper.inside('TR', () => drawCells(paper, heading, HEADING, 'TH'));
    endRow(paper, heading.height, COLOURS.quiet);
    for (const block of blocks) {
      if (paper.y + heightOf(block) > paper.bottom) {
        paper.nextPage();
        paper.decorate(() => drawTexts(paper, heading, HEADING), 'Pagination');
        endRow(paper, heading.height, COLOURS.quiet);
      }
      for (const row of block) {
        if (row.isMarked) paper.shade(paper.y, row.height);
        paper.inside('TR', () => drawCells(paper, row, row.style, 'TD'));
        endRow(paper, row.height, COLOURS.line);
      }
    }
  });
  paper.y += gap;
}

/** Rows that stay together on a page: sums and notes with the row before them. A row that is higher than a page goes on on the next. */
function blocksOf(paper: Paper, rows: readonly Row[], boxes: readonly Box[], room: number): LaidOut[][] {
  const blocks: LaidOut[][] = [];
  const most = Math.floor((room - 2 * PADDING) / (SIZE * LINE_HEIGHT));
  for (const row of rows) {
    const laidOut = layOut(paper, row, boxes, STYLES[row.is ?? 'item']);
    const last = blocks.at(-1);
    if (laidOut.height > room) blocks.push(...slicesOf(laidOut, most).map((slice) => [slice]));
    else if (row.is && last && laidOut.height + last.reduce((sum, { height }) => sum + height, 0) < room / 2) last.push(laidOut);
    else blocks.push([laidOut]);
  }
  return blocks;
}

function slicesOf(row: LaidOut, most: number): LaidOut[] {
  const count = Math.ceil(Math.max(...row.lines.map(({ length }) => length)) / most);
  return Array.from({ length: count }, (_value, index) => {
    const lines = row.lines.map((all) => all.slice(index * most, (index + 1) * most));
    return { ...row, lines, height: heightOfLines(lines) };
  });
}

function layOut(paper: Paper, { cells, span = 1, isMarked = false }: Row, columns: readonly Box[], style: TextStyle): LaidOut {
  const first = { ...columns[0]!, width: columns[span - 1]!.x + columns[span - 1]!.width - columns[0]!.x };
  const boxes = [first, ...columns.slice(span)];
  const lines = cells.map((cell, index) => paper.linesOf(cell, { ...style, width: boxes[index]!.width }));
  return { lines, boxes, height: heightOfLines(lines), style, span, isMarked };
}

const heightOfLines = (lines: LaidOut['lines']): number =>
  Math.max(...lines.map(({ length }) => length)) * SIZE * LINE_HEIGHT + 2 * PADDING;

function drawCells(paper: Paper, row: LaidOut, style: TextStyle, type: 'TH' | 'TD'): void {
  row.lines.forEach((lines, index) => {
    const isRowHeading = index === 0 && row.span > 1;
    paper.inside(
      isRowHeading ? 'TH' : type,
      (cell) => {
        if (isRowHeading) spanColumns(cell, row.span);
        paper.mark(() => paper.drawLines(lines, paper.y + PADDING, { ...style, ...row.boxes[index]! }));
      },
      type === 'TH' ? { scope: 'Column' } : isRowHeading ? { scope: 'Row' } : {},
    );
  });
}

function drawTexts(paper: Paper, row: LaidOut, style: TextStyle): void {
  row.lines.forEach((lines, index) => paper.drawLines(lines, paper.y + PADDING, { ...style, ...row.boxes[index]! }));
}

function endRow(paper: Paper, height: number, colour: string): void {
  paper.y += height;
  paper.rule(paper.y, colour);
}

function boxesOf(paper: Paper, columns: readonly Column[], rows: readonly Row[]): Box[] {
  const room = paper.width - GAP * (columns.length - 1);
  const natural = columns.map(({ heading }, index) => naturalWidth(paper, heading, index, rows));
  const widths = widthsOf(columns, natural, room);
  let x = paper.left;
  return columns.map(({ is }, index) => {
    const box: Box = { x, width: widths[index]!, align: ALIGNMENTS[is] };
    x += box.width + GAP;
    return box;
  });
}

/** Numbers get the width they need, unless texts would get too little. The longest text gets what the others leave. */
function widthsOf(columns: readonly Column[], natural: readonly number[], room: number): number[] {
  if (columns.some(({ is }) => is === 'mark')) return columns.map(() => room / columns.length);
  const texts = columns.flatMap(({ is }, index) => (is === 'number' ? [] : [index])).sort((a, b) => natural[a]! - natural[b]!);
  const numbers = columns.reduce((sum, { is }, index) => sum + (is === 'number' ? natural[index]! : 0), 0);
  const forNumbers = Math.min(numbers, room - texts.length * LEAST_TEXT);
  const widths = natural.map((width) => (width * forNumbers) / (numbers || 1));
  let rest = room - forNumbers;
  texts.forEach((index, position) => {
    const left = texts.length - position;
    widths[index] = left === 1 ? rest : Math.min(natural[index]!, rest / left);
    rest -= widths[index];
  });
  return widths;
}

/** Measures the longest text of a column only, which is exact for figures. A little wider, so that rounding does not wrap it. */
function naturalWidth(paper: Paper, heading: string, index: number, rows: readonly Row[]): number {
  let longest = '';
  for (const { cells, span = 1 } of rows) {
    const cell = cells[index - span + 1];
    if (cell === undefined || (index < span && span > 1)) continue;
    for (const line of [cell].flat()) if (line.length > longest.length) longest = line;
  }
  return Math.max(paper.widthOf(longest, STRONG), ...heading.split(' ').map((word) => paper.widthOf(word, HEADING))) + 1;
}
