import type { Cell } from './cell.js';

const LINE_HEIGHT = 15;
const TITLE_HEIGHT = 24;
/** No program shows a higher row. */
const MAX_HEIGHT = 409;
/** What the indent and the edges of a cell take of its width, in characters. */
const EDGES = 1.5;

/** The height of a row whose texts need several lines. Programs do not all find it themselves. */
export function heightXml(cells: readonly Cell[], widths: readonly number[]): string {
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
