import { exactMoneyOf, formatMoney, minorDigitsOf, type Money } from '../../../../../kernel/money.js';
import { LineList, type DetailLine, type DetailLines } from '../../detail-line.js';
import { ItemNumbers } from '../../item-numbers.js';
import { containedTax, hasTax } from '../../contained-tax.js';
import type { Computed } from '../../../result.dto.js';
import type { Report } from '../../report.js';
import { claimedLines } from '../../tables.js';
import { date, decimalsOf, filler, heading, month, number, text, type Cell } from '../cell.js';
import { subtotalOf } from '../figures.js';
import { letterOf } from '../references.js';
import type { Row } from '../sheet.js';
import { ITEM_COLUMNS } from './item-columns.js';
import { conversionCells, conversionFormula, conversionHeadings, CONVERSION_WIDTHS } from './converted.js';
import type { WorkbookWords } from '../words/words.js';
import { EVIDENCE_WIDTHS, evidenceCells, evidenceHeadings, expenseOf, inSheets, referencesOf, type LinesSheet } from './lines.js';

const WIDTHS = [5, 17, 10, 12, ...EVIDENCE_WIDTHS, 13, 12, 10, 17];
const TAX_WIDTHS = [10, 17];
const NUMBER_WIDTH = 10;

const headings = (book: WorkbookWords, result: Computed): Cell[] => {
  const { own, words } = book;
  return [
    heading(own.number, 'number'),
    heading(words.columns.category),
    ...[words.columns.month, words.columns.date].map((name) => heading(name, 'number')),
    ...evidenceHeadings(book),
    heading(own.rule),
    ...[words.columns.amount, `${words.columns.share}, %`, own.notRounded].map((name) => heading(name, 'number')),
    ...(hasTax(result) ? [`${words.columns.taxRate}, %`, own.taxNotRounded] : []).map((name) => heading(name, 'number')),
    ...(result.conversions ? conversionHeadings(words) : []),
    heading(words.columns.item, 'number'),
  ];
};

/** Every claimed line with its claim, which is not rounded: a report rounds once per category and month. */
export interface Items {
  readonly sheets: readonly LinesSheet[];
  /** Of the claims. */
  readonly decimals: number;
}

export function itemsOf(report: Report, book: WorkbookWords): Items {
  const lines = inOrderOfCategories(report);
  const widths = [
    ...WIDTHS,
    ...(hasTax(report.result) ? TAX_WIDTHS : []),
    ...(report.result.conversions ? CONVERSION_WIDTHS : []),
    NUMBER_WIDTH,
  ];
  const numbers = new ItemNumbers(report);
  let decimals = 0;
  for (const line of lines) decimals = Math.max(decimals, decimalsOf(line.claimable));
  return {
    sheets: inSheets(book.own.sheets.items, lines, (some) => ({ rows: rowsOf({ report, book, numbers }, some, decimals), widths })),
    decimals,
  };
}

function inOrderOfCategories(report: Report): DetailLines {
  const byCategory = report.result.categories.map(() => new LineList());
  for (const line of claimedLines(report)) byCategory[line.categoryIndex!]!.push(line);
  return {
    length: byCategory.reduce((sum, { length }) => sum + length, 0),
    *[Symbol.iterator]() {
      for (const lines of byCategory) yield* lines;
    },
  };
}

interface Source {
  readonly report: Report;
  readonly book: WorkbookWords;
  readonly numbers: ItemNumbers;
}

function* rowsOf({ report, book, numbers }: Source, lines: Iterable<DetailLine>, upTo: number): Iterable<Row> {
  const decimals = minorDigitsOf(report.result.currency);
  const references = referencesOf(report);
  const { result } = report;
  const withTax = hasTax(result);
  yield { cells: headings(book, result) };
  let last = 1;
  const sums: Record<'expense' | 'claim' | 'tax', Money> = { expense: 0n, claim: 0n, tax: 0n };
  for (const line of lines) {
    last += 1;
    const expense = expenseOf(line);
    const tax = containedTax(line, decimals, TAX_DECIMALS);
    sums.expense += exactMoneyOf(expense);
    sums.claim += exactMoneyOf(line.claimable!);
    sums.tax += exactMoneyOf(tax ?? '0');
    yield {
      cells: [
        number(String(line.categoryIndex! + 1)),
        text(line.category),
        month(line.bookedOn.slice(0, 7)),
        date(line.bookedOn),
        ...evidenceCells(line, references),
        text(line.rule),
        number(expense, {
          formula: line.conversion && conversionFormula(last, (withTax ? ITEM_COLUMNS.tax : ITEM_COLUMNS.claim) + 1, decimals),
        }),
        number(line.claimablePercent),
        number(line.claimable, { decimals, upTo }),
        ...(withTax ? taxCells(line, tax, last, decimals) : []),
        ...(result.conversions ? conversionCells(line) : []),
        number(String(numbers.of(line))),
      ],
    };
  }
  const total = (sum: Money, column: number): Cell =>
    number(formatMoney(sum, decimals), { decimals, upTo, look: 'total', formula: last === 1 ? undefined : subtotalOf(column, 2, last) });
  yield {
    cells: [
      ...[text('', 'total'), text(book.words.total, 'total')],
      ...filler(ITEM_COLUMNS.expense - 2, 'total'),
      total(sums.expense, ITEM_COLUMNS.expense),
      text('', 'total'),
      total(sums.claim, ITEM_COLUMNS.claim),
      ...(withTax ? [text('', 'total'), total(sums.tax, ITEM_COLUMNS.tax)] : []),
      ...filler(result.conversions ? CONVERSION_WIDTHS.length + 1 : 1, 'total'),
    ],
  };
}

/** As many as a spreadsheet calculates with. */
const TAX_DECIMALS = 15;
const SHOWN_TAX_DECIMALS = 6;

function taxCells({ taxPercent }: DetailLine, tax: string | null, row: number, decimals: number): Cell[] {
  if (tax === null) return [null, null];
  const place = (column: number) => `${letterOf(column)}${row}`;
  const percent = place(ITEM_COLUMNS.taxPercent);
  const formula = `${place(ITEM_COLUMNS.claim)}*${percent}/(100+${percent})`;
  return [number(taxPercent!), number(tax, { decimals, upTo: SHOWN_TAX_DECIMALS, formula })];
}
