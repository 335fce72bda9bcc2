import type { WordingKey } from '../../../../../api/wording/catalogues.js';
import { minorDigitsOf } from '../../../../../kernel/money.js';
import type { ClaimReportCategoryDto } from '../../../result.dto.js';
import { claimedOf, hasTax, type Report } from '../../report.js';
import { CLAIM_COLUMN, columnRange, figureCells, filler, fixedRange, heading, letterOf, month, number, subtotalOf } from '../sheet.js';
import { TAX_COLUMN, text, unclaimedOf, WITHOUT_TAX_COLUMN } from '../sheet.js';
import type { Cell, Figures, Row, Sheet, WorkbookWords } from '../sheet.js';
import { ITEM_COLUMNS, type Items } from './items.js';

/** Where formulas of other sheets find the categories. */
export interface CategoriesSheet extends Sheet {
  /** The row of each category with its sums, in the order of the result. */
  readonly categoryRows: readonly number[];
  readonly lastRow: number;
  readonly columns: Columns;
}

interface Columns {
  /** undefined if the options group by category only. */
  readonly month?: number;
  /** The first of the figures. */
  readonly figures: number;
  /** The figures that are also computed from the items; none if the options group by category only. */
  readonly checks: readonly Check[];
}

/** A figure beside what its items make, and the difference. */
interface Check {
  readonly figure: number;
  readonly of: (figures: Figures) => string;
  readonly headings: readonly WordingKey[];
  readonly item: number;
  readonly decimals: number;
  readonly check: number;
  readonly difference: number;
}

function columnsOf({ result, options }: Report, { figures: { length } }: WorkbookWords, items: Items): Columns {
  if (!options.groupBy.includes('month')) return { figures: 3, checks: [] };
  const [figures, first] = [4, 4 + length];
  const claim: Check = {
    ...{ figure: CLAIM_COLUMN, of: ({ claimable }) => claimable!, headings: ['workbook.check', 'workbook.difference'] },
    ...{ item: ITEM_COLUMNS.claim, decimals: items.decimals, check: first, difference: first + 1 },
  };
  const tax: Check = {
    ...{ figure: TAX_COLUMN, of: ({ claimableTax }) => claimableTax!, headings: ['workbook.taxCheck', 'workbook.taxDifference'] },
    ...{ item: ITEM_COLUMNS.tax, decimals: MAX_EXACT, check: first + 2, difference: first + 3 },
  };
  return { month: 3, figures, checks: hasTax(result) ? [claim, tax] : [claim] };
}

/** The claim of each category, and if the options group by month, of each of its months, beside its items. */
export function categoriesSheet(report: Report, book: WorkbookWords, items: Items): CategoriesSheet {
  const columns = columnsOf(report, book, items);
  const { month: byMonth, checks } = columns;
  const rows: Row[] = [{ cells: categoryHeadings(book, columns) }];
  const categoryRows = report.result.categories.map((category, index) => {
    rows.push(...categoryRowsOf(report, book, category, { index, columns, first: rows.length + 1, items }));
    return rows.length;
  });
  const lastRow = rows.length;
  rows.push(...totalRows(report, book, columns, lastRow));
  return {
    name: book.say('workbook.sheets.categories'),
    widths: [6, 18, 44, ...(byMonth ? [11] : []), 9, ...book.figures.slice(1).map(() => 14), ...checks.flatMap(() => [16, 12])],
    rows,
    rowCount: rows.length,
    table: { last: lastRow },
    categoryRows,
    lastRow,
    columns,
  };
}

function categoryHeadings({ say, figures }: WorkbookWords, { month: byMonth, checks }: Columns): Cell[] {
  return [
    heading(say('workbook.number'), 'number'),
    heading(say('workbook.code')),
    heading(say('report.columns.category')),
    ...(byMonth ? [heading(say('report.columns.month'), 'number')] : []),
    ...figures.map((name) => heading(name, 'number')),
    ...checks.flatMap((check) => check.headings.map((key) => heading(say(key), 'number'))),
  ];
}

interface Placed {
  readonly index: number;
  readonly columns: Columns;
  readonly first: number;
  readonly items: Items;
}

function categoryRowsOf(
  { result }: Report,
  book: WorkbookWords,
  category: ClaimReportCategoryDto,
  { index, columns, first, items }: Placed,
): Row[] {
  const digits = minorDigitsOf(result.currency);
  const names = (look?: 'subtotal'): Cell[] => [number(String(index + 1), { look }), text(category.code, look), text(category.name, look)];
  if (columns.month === undefined) return [{ cells: [...names(), ...figureCells(category)] }];
  const { figures: firstFigure, checks } = columns;
  const months = category.months.map((figures, offset): Row => {
    const row = first + offset;
    const place = (figure: number) => `${letterOf(firstFigure + figure)}${row}`;
    const withoutTax = (column: number) => (column === WITHOUT_TAX_COLUMN ? `${place(CLAIM_COLUMN)}-${place(TAX_COLUMN)}` : undefined);
    const checked = checks.flatMap((check) => {
      const difference = `${place(check.figure)}-${letterOf(check.check)}${row}`;
      return [
        number(check.of(figures), { formula: checkOf(check, row, columns.month!, items, digits) }),
        number('0', { decimals: digits, formula: difference }),
      ];
    });
    return { cells: [...names(), month(figures.month), ...figureCells(figures, { formulaOf: withoutTax }), ...checked], isDetail: true };
  });
  const last = first + months.length - 1;
  const formulaOf = (column: number) => subtotalOf(column, first, last);
  const figures = figureCells(category, { look: 'subtotal', formulaOf: (column) => formulaOf(firstFigure + column) });
  const sums = sumsOfChecks(checks, category, 'subtotal', formulaOf);
  return [...months, { cells: [...names('subtotal'), month(book.say('report.total'), 'subtotal'), ...figures, ...sums] }];
}

/** The sums of what items make. Differences are not summed up: they might cancel each other. */
const sumsOfChecks = (
  checks: readonly Check[],
  figures: Figures,
  look: 'subtotal' | 'total',
  formulaOf: (column: number) => string | undefined,
): Cell[] =>
  checks.flatMap(({ of, check }, index) => [...(index === 0 ? [] : [null]), number(of(figures), { look, formula: formulaOf(check) })]);

/** Spreadsheets calculate with 15 digits. */
const MAX_EXACT = 10;

/** What the items of a category in a month make, rounded once. The inner rounding takes away what binary numbers leave over. */
function checkOf({ item, decimals }: Check, row: number, monthColumn: number, items: Items, digits: number): string {
  const ofSheet = ({ name, lastRow }: Items['sheets'][number]) => {
    const range = (column: number) => fixedRange(name, column, 2, Math.max(2, lastRow));
    const category = `${range(ITEM_COLUMNS.category)},$A${row}`;
    return `SUMIFS(${range(item)},${category},${range(ITEM_COLUMNS.month)},$${letterOf(monthColumn)}${row})`;
  };
  return `ROUND(ROUND(${items.sheets.map(ofSheet).join('+')},${Math.min(decimals, MAX_EXACT)}),${digits})`;
}

/** The sums of all categories, and beside them the lines that no category claims. */
function totalRows({ result, options }: Report, { say }: WorkbookWords, columns: Columns, lastRow: number): Row[] {
  const digits = minorDigitsOf(result.currency);
  const claimed = claimedOf(result);
  const total = lastRow + 1;
  const named = (name: string, look?: 'total'): Cell[] => [...filler(2, look), text(name, look), ...filler(columns.figures - 3, look)];
  const columnSum = (column: number) => subtotalOf(column, 2, lastRow);
  const formulaOf = (column: number) => columnSum(columns.figures + column);
  const checks = sumsOfChecks(columns.checks, claimed, 'total', columnSum);
  const rows: Row[] = [
    { cells: [...named(say('workbook.claimedTotal'), 'total'), ...figureCells(claimed, { look: 'total', formulaOf }), ...checks] },
  ];
  if (!options.includeUncategorised) return rows;
  const sum = (column: number) => `SUM(${columnRange(columns.figures + column, total, total + 1)})`;
  return [
    ...rows,
    { cells: [...named(say('report.summary.notClaimed')), ...figureCells(unclaimedOf(result.totals, claimed, digits))] },
    { cells: [...named(say('workbook.allLines'), 'total'), ...figureCells(result.totals, { look: 'total', formulaOf: sum })] },
  ];
}
