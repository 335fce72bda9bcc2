import { formatMoney, minorDigitsOf } from '../../../../../kernel/money.js';
import type { Computed } from '../../../result.dto.js';
import { hasTax } from '../../contained-tax.js';
import type { Report } from '../../report.js';
import { heading, month, text, type Cell } from '../cell.js';
import { CLAIM_COLUMN, figureCells, subtotalOf, type Figures } from '../figures.js';
import { fixedRange } from '../references.js';
import type { Row, Sheet } from '../sheet.js';
import type { WorkbookWords } from '../words/words.js';
import type { CategoriesSheet } from './categories.js';
import { referencesOf } from './lines.js';

const headings = ({ words: { columns }, figures }: WorkbookWords): Cell[] => [
  heading(columns.month, 'number'),
  ...figures.map((name) => heading(name, 'number')),
  heading(columns.coverage),
  heading(columns.statements),
];

/** Every month of the period and every other month with lines. Its claim is the sum of those of the categories. */
export function monthsSheet(report: Report, book: WorkbookWords, categories: CategoriesSheet | undefined): Sheet {
  const { result } = report;
  const covered = new Map(result.evidence.months.map((evidence) => [evidence.month, evidence]));
  const figures = new Map<string, Figures>(result.months.map((ofMonth) => [ofMonth.month, ofMonth]));
  const months = [...new Set([...covered.keys(), ...figures.keys()])].sort();
  const references = referencesOf(report);
  const rows = months.map((name, index): Row => {
    const evidence = covered.get(name);
    const claimed = (column: number) => (categories && column >= CLAIM_COLUMN ? claimFormula(categories, column, index + 2) : undefined);
    const statements = evidence?.statementIds.map((id) => references.get(id) ?? id).join(', ');
    return {
      cells: [
        month(name),
        ...figureCells(figures.get(name) ?? zeroIn(result), { formulaOf: claimed }),
        text(evidence ? book.words.calendar.status[evidence.status] : null),
        text(statements || null),
      ],
    };
  });
  const last = rows.length + 1;
  const formulaOf = (column: number) => (rows.length === 0 ? undefined : subtotalOf(column + 1, 2, last));
  const total = [month(book.words.total, 'total'), ...figureCells(result.totals, { look: 'total', formulaOf })];
  return {
    name: book.own.sheets.months,
    widths: [11, 9, 14, 14, 14, 14, ...(hasTax(result) ? [14, 14] : []), 14, 40],
    rows: [{ cells: headings(book) }, ...rows, { cells: total }],
    rowCount: last + 1,
    table: { last },
    isLandscape: true,
  };
}

/** Adds up a column of claims of the categories. */
function claimFormula({ name, columns, lastRow }: CategoriesSheet, figure: number, row: number): string | undefined {
  if (columns.month === undefined) return undefined;
  const range = (column: number) => fixedRange(name, column, 2, Math.max(2, lastRow));
  return `SUMIFS(${range(columns.figures + figure)},${range(columns.month)},$A${row})`;
}

function zeroIn(result: Computed): Figures {
  const zero = formatMoney(0n, minorDigitsOf(result.currency));
  const figures = { count: 0, gross: zero, refunds: zero, net: zero, claimable: zero };
  return hasTax(result) ? { ...figures, claimableTax: zero, claimableNet: zero } : figures;
}
