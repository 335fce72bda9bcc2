import type { DetailLine, DetailLines } from '../../report.js';
import { type Cell, type Sheet, text } from '../sheet.js';
import { headingsNamed, type WorkbookWords } from '../words.js';

/** The maximum of a sheet, without its heading and its total. */
const LINES_PER_SHEET = 1_048_576 - 2;

/** A sheet of lines. Its heading is in the first row, and a total below the last one. */
export interface LinesSheet extends Sheet {
  readonly lastRow: number;
}
/** Lines that do not fit on one sheet continue on the next. */
export function inSheets(
  name: string,
  lines: DetailLines,
  make: (lines: Iterable<DetailLine>) => Pick<Sheet, 'rows' | 'widths'>,
): LinesSheet[] {
  const count = Math.max(1, Math.ceil(lines.length / LINES_PER_SHEET));
  return Array.from({ length: count }, (_value, index) => {
    const from = index * LINES_PER_SHEET;
    const to = Math.min(from + LINES_PER_SHEET, lines.length);
    const lastRow = to - from + 1;
    return {
      name: index === 0 ? name : `${name} ${index + 1}`,
      ...make(rangeOf(lines, from, to)),
      rowCount: lastRow + 1,
      lastRow,
      table: { last: lastRow },
      isLandscape: true,
    };
  });
}

function* rangeOf(lines: DetailLines, from: number, to: number): Iterable<DetailLine> {
  let index = 0;
  for (const line of lines) {
    if (index >= to) return;
    if (index >= from) yield line;
    index += 1;
  }
}

/** Where a line is found, and what the bank says about it. */
export function evidenceCells(line: DetailLine, references: ReadonlyMap<string, string>): Cell[] {
  const { statementId, lineNumber, counterparty, description, reference, account } = line;
  const place = `${references.get(statementId) ?? statementId}/${lineNumber}`;
  return [place, counterparty, description, reference, account].map((value) => text(value));
}

export const EVIDENCE_WIDTHS = [12, 24, 36, 19, 28];
/** The headings of `evidenceCells`. */
export const evidenceHeadings = ({ say }: WorkbookWords): Cell[] =>
  headingsNamed(
    say,
    'text',
    'report.columns.reference',
    'report.columns.counterparty',
    'report.columns.details',
    'workbook.bankReference',
    'report.columns.account',
  );
