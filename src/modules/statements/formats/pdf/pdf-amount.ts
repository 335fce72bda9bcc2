import { writtenAmount, type WrittenAmount } from '../csv/written-amount.js';
import type { PdfCell } from './page-rows.js';

/** An amount with its place in the row. */
export interface PlacedAmount {
  readonly text: string;
  readonly written: WrittenAmount;
  readonly left: number;
  readonly right: number;
}

/** Two decimals: other numbers may be anything. */
const DECIMALS = /[.,]\d\d$/;
/** A sign or mark that stands apart from its amount. */
const MARK = /^(?:[+−–-]|CR|DR|C|D|H|S)$/i;
/** How far apart, in points. */
const MARK_DISTANCE = 30;
/** An amount at the end of a text. */
const AT_END = /^(.*\S)\s+((?:[A-Z]{3}|[€£$])?\s?[+−–-]?\s?(?:\d{1,3}(?:[.,' ]\d{3})+|\d+)[.,]\d\d\s?(?:[+−–-]|CR|DR)?)$/;

export function amountIn(text: string): WrittenAmount | null {
  const written = writtenAmount(text);
  return written && DECIMALS.test(written.digits) ? written : null;
}

/** The cells of a row, with its amounts apart from its texts. */
export interface SplitCells {
  readonly texts: readonly PdfCell[];
  readonly amounts: readonly PlacedAmount[];
}

export function splitCells(cells: readonly PdfCell[]): SplitCells {
  const texts: PdfCell[] = [];
  const amounts: PlacedAmount[] = [];
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index]!;
    const next = cells[index + 1];
    const marked = next && MARK.test(next.text) && next.left - cell.right < MARK_DISTANCE ? amountIn(`${cell.text} ${next.text}`) : null;
    const [, text, ending = ''] = AT_END.exec(cell.text) ?? [];
    const written = marked ?? amountIn(cell.text) ?? amountIn(ending);
    if (!written) {
      texts.push(cell);
      continue;
    }
    if (marked) index += 1;
    else if (text !== undefined && !amountIn(cell.text)) texts.push({ ...cell, text });
    amounts.push({ text: ending || cell.text, written, left: cell.left, right: cell.right });
  }
  return { texts, amounts };
}
