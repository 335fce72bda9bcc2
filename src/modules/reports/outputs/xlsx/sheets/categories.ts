import { minorDigitsOf } from '../../../../../kernel/money.js';
import type { CategoryResultDto } from '../../../result.dto.js';
import type { Report } from '../../report.js';
import { filler, heading, month, number, text, type Cell } from '../cell.js';
import { FIGURE_COLUMNS, figureCells, subtotalOf, sumOf, unclaimedOf } from '../figures.js';
import { columnRange, fixedRange, letterOf } from '../references.js';
import type { Row, Sheet } from '../sheet.js';
import type { WorkbookWords } from '../words/words.js';
import { ITEM_COLUMNS, type Items } from './items.js';

/** Where formulas of other sheets find the categories. */
export interface CategoriesSheet extends Sheet {
  /** The row of each category with its sums, in the order of the result. */
  readonly categoryRows: readonly number[];
  readonly lastRow: number;
  readonly totalRow: number;
  readonly columns: Columns;
}

interface Columns {
  /** undefined if the options group by category only. */
  readonly month?: number;
  /** The first of the figures. */
  readonly figures: number;
  readonly claim: number;
  readonly difference?: number;
}

/** The claim of each category, and if the options group by month, of each of its months, beside its items. */
export function categoriesSheet(report: Report, book: WorkbookWords, items: Items): CategoriesSheet {
  const byMonth = report.options.groupBy.includes('month');
  const figures = byMonth ? 4 : 3;
  const claim = figures + FIGURE_COLUMNS - 1;
  const columns: Columns = byMonth ? { month: 3, figures, claim, difference: claim + 2 } : { figures, claim };
  const rows: Row[] = [{ cells: headings(book, columns) }];
  const categoryRows = report.result.categories.map((category, index) => {
    rows.push(...categoryRowsOf(report, book, category, { index, columns, first: rows.length + 1, items }));
    return rows.length;
  });
  const lastRow = rows.length;
  rows.push(...totalRows(report, book, columns, lastRow));
  return {
    name: book.own.sheets.categories,
    widths: [6, 18, 44, ...(byMonth ? [11] : []), 9, 14, 14, 14, 14, ...(byMonth ? [16, 12] : [])],
    rows,
    rowCount: rows.length,
    table: { last: lastRow },
    isLandscape: true,
    categoryRows,
    lastRow,
    totalRow: lastRow + 1,
    columns,
  };
}

function headings({ own, words, figures }: WorkbookWords, { month: hasMonth }: Columns): Cell[] {
  const byMonth = hasMonth !== undefined;
  return [
    heading(own.number, 'number'),
    heading(own.code),
    heading(words.columns.category),
    ...(byMonth ? [heading(words.columns.month, 'number')] : []),
    ...figures.map((name) => heading(name, 'number')),
    ...(byMonth ? [own.check, own.difference].map((name) => heading(name, 'number')) : []),
  ];
}

interface Placed {
  readonly index: number;
  readonly columns: Columns;
  readonly first: number;
  readonly items: Items;
}

/** A row for each month, and one with their sums. */
function categoryRowsOf(
  { result }: Report,
  book: WorkbookWords,
  category: CategoryResultDto,
  { index, columns, first, items }: Placed,
): Row[] {
  const digits = minorDigitsOf(result.currency);
  const names = (look?: 'subtotal'): Cell[] => [number(String(index + 1), { look }), text(category.code, look), text(category.name, look)];
  if (columns.month === undefined) return [{ cells: [...names(), ...figureCells(category)] }];
  const months = category.months.map((figures, offset): Row => {
    const row = first + offset;
    const check = number(figures.claimable, { formula: checkOf(row, columns.month!, items, digits) });
    const difference = `${letterOf(columns.claim)}${row}-${letterOf(columns.claim + 1)}${row}`;
    return {
      cells: [...names(), month(figures.month), ...figureCells(figures), check, number('0', { decimals: digits, formula: difference })],
      isDetail: true,
    };
  });
  const last = first + months.length - 1;
  const formulaOf = (column: number) => (months.length === 0 ? undefined : subtotalOf(column, first, last));
  const figures = figureCells(category, { look: 'subtotal', formulaOf: (column) => formulaOf(columns.figures + column) });
  const check = number(category.claimable, { look: 'subtotal', formula: formulaOf(columns.claim + 1) });
  return [...months, { cells: [...names('subtotal'), month(book.words.total, 'subtotal'), ...figures, check] }];
}

/** Spreadsheets calculate with 15 digits. */
const MAX_EXACT = 10;

/** The claims of the items of a category in a month, rounded once. The inner rounding takes away what binary numbers leave over. */
function checkOf(row: number, monthColumn: number, items: Items, digits: number): string {
  const ofSheet = ({ name, lastRow }: Items['sheets'][number]) => {
    const range = (column: number) => fixedRange(name, column, 2, Math.max(2, lastRow));
    const category = `${range(ITEM_COLUMNS.category)},$A${row}`;
    return `SUMIFS(${range(ITEM_COLUMNS.claim)},${category},${range(ITEM_COLUMNS.month)},$${letterOf(monthColumn)}${row})`;
  };
  return `ROUND(ROUND(${items.sheets.map(ofSheet).join('+')},${Math.min(items.decimals, MAX_EXACT)}),${digits})`;
}

/** The sums of all categories, and beside them the lines that no category claims. */
function totalRows({ result, options }: Report, { own, words }: WorkbookWords, columns: Columns, lastRow: number): Row[] {
  const digits = minorDigitsOf(result.currency);
  const claimed = sumOf(result.categories, digits);
  const total = lastRow + 1;
  const named = (name: string, look?: 'total'): Cell[] => [
    text('', look),
    text('', look),
    text(name, look),
    ...filler(columns.figures - 3, look),
  ];
  const formulaOf = (column: number) => (lastRow === 1 ? undefined : subtotalOf(columns.figures + column, 2, lastRow));
  const check = columns.difference === undefined ? [] : [number(claimed.claimable, { look: 'total', formula: formulaOf(FIGURE_COLUMNS) })];
  const rows: Row[] = [{ cells: [...named(own.claimedTotal, 'total'), ...figureCells(claimed, { look: 'total', formulaOf }), ...check] }];
  if (!options.includeUncategorised) return rows;
  const sum = (column: number) => `SUM(${columnRange(columns.figures + column, total, total + 1)})`;
  return [
    ...rows,
    { cells: [...named(words.summary.notClaimed), ...figureCells(unclaimedOf(result.totals, claimed, digits))] },
    { cells: [...named(own.allLines, 'total'), ...figureCells(result.totals, { look: 'total', formulaOf: sum })] },
  ];
}
