import { exactMoneyOf, formatMoney, minorDigitsOf, type Money } from '../../../../../kernel/money.js';
import { isInTotals, type DetailLine } from '../../detail-line.js';
import type { Report } from '../../report.js';
import { shownLines } from '../../tables.js';
import { date, filler, heading, number, text, type Cell } from '../cell.js';
import { subtotalOf } from '../figures.js';
import type { Row, Sheet } from '../sheet.js';
import type { WorkbookWords } from '../words/words.js';
import { conversionCells, conversionFormula, conversionHeadings, CONVERSION_WIDTHS } from './converted.js';
import { EVIDENCE_WIDTHS, evidenceCells, evidenceHeadings, expenseOf, inSheets, referencesOf } from './lines.js';

const FIRST_EXPENSE = 1 + EVIDENCE_WIDTHS.length + 2;

/** The lines that are not items: those that no category claims, and those in other currencies, which have a column each. */
export function otherLinesSheets(report: Report, book: WorkbookWords): Sheet[] {
  const { result } = report;
  const shown = shownLines(report);
  const isOther = (line: DetailLine): boolean => line.categoryIndex === null || !isInTotals(line, result.currency);
  let length = 0;
  for (const line of shown) if (isOther(line)) length += 1;
  const lines = {
    length,
    *[Symbol.iterator]() {
      for (const line of shown) if (isOther(line)) yield line;
    },
  };
  const currencies = [result.currency, ...result.otherCurrencies.map(({ currency }) => currency)];
  const widths = [12, ...EVIDENCE_WIDTHS, 18, 20, ...currencies.map(() => 14), ...(result.conversions ? CONVERSION_WIDTHS : [])];
  return inSheets(book.own.sheets.otherLines, lines, (some) => ({ rows: rowsOf(report, book, some, currencies), widths }));
}

function* rowsOf(report: Report, book: WorkbookWords, lines: Iterable<DetailLine>, currencies: readonly (string | null)[]): Iterable<Row> {
  const references = referencesOf(report);
  const { conversions } = report.result;
  const digits = minorDigitsOf(report.result.currency);
  yield { cells: [...headingsOf(book, currencies), ...(conversions ? conversionHeadings(book.words) : [])] };
  const sums = currencies.map((): Money => 0n);
  let last = 1;
  for (const line of lines) {
    last += 1;
    const expense = expenseOf(line);
    const column = isInTotals(line, report.result.currency) ? 0 : currencies.indexOf(line.currency);
    sums[column]! += exactMoneyOf(expense);
    const formula = line.conversion && conversionFormula(last, FIRST_EXPENSE + currencies.length, digits);
    yield {
      cells: [
        date(line.bookedOn),
        ...evidenceCells(line, references),
        text(line.category),
        text(line.rule),
        ...currencies.map((_currency, index) => (index === column ? number(expense, { formula }) : null)),
        ...(conversions ? conversionCells(line) : []),
      ],
    };
  }
  const total = (sum: Money, index: number): Cell =>
    number(formatMoney(sum, minorDigitsOf(currencies[index]!)), {
      look: 'total',
      formula: last === 1 ? undefined : subtotalOf(FIRST_EXPENSE + index, 2, last),
    });
  yield { cells: [text(book.words.total, 'total'), ...filler(FIRST_EXPENSE - 1, 'total'), ...sums.map(total)] };
}

function headingsOf(book: WorkbookWords, currencies: readonly (string | null)[]): Cell[] {
  const { own, words } = book;
  return [
    heading(words.columns.date, 'number'),
    ...evidenceHeadings(book),
    heading(words.columns.category),
    heading(own.rule),
    ...currencies.map((currency) => heading(`${words.columns.amount}, ${currency ?? own.noCurrency}`, 'number')),
  ];
}
