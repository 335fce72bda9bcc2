import type { DetailLine } from '../../detail-line.js';
import type { Words } from '../../wording/words.js';
import { heading, number, text, type Cell } from '../cell.js';
import { letterOf } from '../references.js';
import { negated } from './lines.js';

/** After all other columns of a line: how its amount came to be in the currency of the report. */
export const CONVERSION_WIDTHS = [14, 9, 14, 12];
const RATE = 2;

export const conversionHeadings = ({ columns }: Words): Cell[] => [
  heading(columns.original, 'number'),
  heading(columns.currency),
  heading(columns.rate, 'number'),
  heading(columns.rateFor),
];

export function conversionCells({ amount, currency, conversion }: DetailLine): Cell[] {
  if (!conversion) return CONVERSION_WIDTHS.map(() => null);
  const { rate, rateFor, quotes } = conversion;
  return [number(negated(amount)), text(currency), number(rate, { formula: quotes && `${quotes[0]}/${quotes[1]}` }), text(rateFor)];
}

/** The original amount times the rate, rounded once. `first` is the column of the original amount. */
export const conversionFormula = (row: number, first: number, digits: number): string =>
  `ROUND(${letterOf(first)}${row}*${letterOf(first + RATE)}${row},${digits})`;
