import { headingOf, type Cell, type Column, type Table } from '../tables.js';
import { COLOURS, type Paper, type TextStyle } from './paper.js';
import type { Wording } from './wording.js';

/** A table whose last row may be what the others add up to. */
export interface PrintedTable extends Table {
  readonly total?: readonly Cell[];
}

interface Placed {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

const GAP = 10;
const PADDING = 4;
const HEADING: TextStyle = { size: 7, bold: true, colour: COLOURS.quiet };
const TOTAL: TextStyle = { bold: true };

/** Draws a table; on every page that it goes on to its heading stands again. */
export function drawTable(paper: Paper, table: PrintedTable, wording: Wording): void {
  const { columns, total } = table;
  const heading = columns.map(headingOf);
  const rows = [...table.rows].map((cells) => cells.map((cell, index) => wording.cell(columns[index]!, cell)));
  const totals = total?.map((cell, index) => wording.cell(columns[index]!, cell));
  const places = placesOf(columns, naturalWidths(paper, [...rows, ...(totals ? [totals] : [])], heading), paper);
  const drawHeading = () => drawRow(paper, heading, places, HEADING, COLOURS.quiet);
  const draw = (row: readonly string[], style: TextStyle) => {
    if (!paper.hasRoom(heightOf(paper, row, places, style))) {
      paper.nextPage();
      drawHeading();
    }
    drawRow(paper, row, places, style, COLOURS.line);
  };
  paper.needRoom(3 * heightOf(paper, heading, places, HEADING));
  drawHeading();
  for (const row of rows) draw(row, {});
  if (totals) draw(totals, TOTAL);
}

/** A little more than the texts are wide, lest rounding breaks them. */
function naturalWidths(paper: Paper, rows: readonly (readonly string[])[], heading: readonly string[]): number[] {
  return heading.map((name, index) => Math.max(paper.widthOf(name, HEADING), ...rows.map((row) => paper.widthOf(row[index]!, TOTAL))) + 1);
}

/** Numbers stand to the right and get the width that they need; texts share the rest, the longest of them what the others leave. */
function placesOf(columns: readonly Column[], natural: readonly number[], paper: Paper): Placed[] {
  const widths = [...natural];
  const texts = columns.flatMap(({ is }, index) => (is === 'number' ? [] : [index])).sort((a, b) => natural[a]! - natural[b]!);
  const taken = columns.reduce((sum, { is }, index) => sum + (is === 'number' ? natural[index]! : 0), GAP * (columns.length - 1));
  let rest = paper.width - taken;
  texts.forEach((index, place) => {
    const left = texts.length - place;
    widths[index] = left === 1 ? rest : Math.min(natural[index]!, rest / left);
    rest -= widths[index];
  });
  let x = paper.left;
  return columns.map(({ is }, index) => {
    const placed: Placed = { x, width: widths[index]!, align: is === 'number' ? 'right' : 'left' };
    x += placed.width + GAP;
    return placed;
  });
}

function heightOf(paper: Paper, row: readonly string[], places: readonly Placed[], style: TextStyle): number {
  return Math.max(...row.map((text, index) => paper.heightOf(text, { ...style, width: places[index]!.width }))) + 2 * PADDING;
}

function drawRow(paper: Paper, row: readonly string[], places: readonly Placed[], style: TextStyle, line: string): void {
  const height = heightOf(paper, row, places, style);
  row.forEach((text, index) => paper.draw(text, paper.y + PADDING, { ...style, ...places[index]! }));
  paper.y += height;
  paper.rule(paper.y, line);
}
