import { headingOf, type Cell, type Column, type Table } from '../tables.js';
import { COLOURS, type Paper, type TextStyle } from './paper.js';
import type { Wording } from './wording.js';

/** A table that may have a row with totals. */
export interface PrintedTable extends Table {
  readonly total?: readonly Cell[];
}

interface ColumnBox {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

const GAP = 10;
const PADDING = 4;
const HEADING: TextStyle = { size: 7, bold: true, colour: COLOURS.quiet };
const TOTAL: TextStyle = { bold: true };

/** Draws a table and repeats its heading on every page. */
export function drawTable(paper: Paper, table: PrintedTable, wording: Wording): void {
  const { columns, total } = table;
  const heading = columns.map(headingOf);
  const rows = [...table.rows].map((cells) => cells.map((cell, index) => wording.cell(columns[index]!, cell)));
  const totals = total?.map((cell, index) => wording.cell(columns[index]!, cell));
  const boxes = columnBoxes(columns, naturalWidths(paper, [...rows, ...(totals ? [totals] : [])], heading), paper);
  const drawHeading = () => drawRow(paper, heading, boxes, HEADING, COLOURS.quiet);
  const draw = (row: readonly string[], style: TextStyle) => {
    if (!paper.hasRoom(heightOf(paper, row, boxes, style))) {
      paper.nextPage();
      drawHeading();
    }
    drawRow(paper, row, boxes, style, COLOURS.line);
  };
  paper.needRoom(3 * heightOf(paper, heading, boxes, HEADING));
  drawHeading();
  for (const row of rows) draw(row, {});
  if (totals) draw(totals, TOTAL);
}

/** A little wider than the texts, so that rounding does not wrap them. */
function naturalWidths(paper: Paper, rows: readonly (readonly string[])[], heading: readonly string[]): number[] {
  return heading.map((name, index) => Math.max(paper.widthOf(name, HEADING), ...rows.map((row) => paper.widthOf(row[index]!, TOTAL))) + 1);
}

/** Numbers are right-aligned and get the width they need. Texts share the rest; the longest text gets what the others leave. */
function columnBoxes(columns: readonly Column[], natural: readonly number[], paper: Paper): ColumnBox[] {
  const widths = [...natural];
  const texts = columns.flatMap(({ is }, index) => (is === 'number' ? [] : [index])).sort((a, b) => natural[a]! - natural[b]!);
  const taken = columns.reduce((sum, { is }, index) => sum + (is === 'number' ? natural[index]! : 0), GAP * (columns.length - 1));
  let rest = paper.width - taken;
  texts.forEach((index, position) => {
    const left = texts.length - position;
    widths[index] = left === 1 ? rest : Math.min(natural[index]!, rest / left);
    rest -= widths[index];
  });
  let x = paper.left;
  return columns.map(({ is }, index) => {
    const box: ColumnBox = { x, width: widths[index]!, align: is === 'number' ? 'right' : 'left' };
    x += box.width + GAP;
    return box;
  });
}

function heightOf(paper: Paper, row: readonly string[], boxes: readonly ColumnBox[], style: TextStyle): number {
  return Math.max(...row.map((text, index) => paper.heightOf(text, { ...style, width: boxes[index]!.width }))) + 2 * PADDING;
}

function drawRow(paper: Paper, row: readonly string[], boxes: readonly ColumnBox[], style: TextStyle, line: string): void {
  const height = heightOf(paper, row, boxes, style);
  row.forEach((text, index) => paper.draw(text, paper.y + PADDING, { ...style, ...boxes[index]! }));
  paper.y += height;
  paper.rule(paper.y, line);
}
