import type { Say } from '../../../../../api/wording/wording.js';
import { exactMoneyOf, formatMoney, minorDigitsOf, type Money } from '../../../../../kernel/money.js';
import type { ClaimReportConversionsDto, ClaimReportReceiptDto, Computed } from '../../../result.dto.js';
import { containedTax, expenseOf, hasTax, isInTotals, LineList, negated, placeOf, referencesOf } from '../../report.js';
import type { DetailLine, DetailLines, Report, ReportStatement } from '../../report.js';
import { claimedLines, isClaimed, ItemNumbers, shownLines, someLines } from '../../tables.js';
import { date, decimalsOf, filler, heading, letterOf, month, number, subtotalOf, text } from '../../../../../../tools/xlsx-sheets/index.js';
import type { Cell, Row, Sheet } from '../../../../../../tools/xlsx-sheets/index.js';
import { headingsNamed, sheetOf, type WorkbookWords } from '../figures.js';

/** The maximum of a sheet, without its heading and its total. */
const LINES_PER_SHEET = 1_048_576 - 2;

/** A sheet of lines. Its heading is in the first row, and a total below the last one. */
interface LinesSheet extends Sheet {
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
function evidenceCells(line: DetailLine, references: ReadonlyMap<string, string>): Cell[] {
  const { statementId, counterparty, description, reference, account } = line;
  const place = placeOf(line, references.get(statementId) ?? statementId);
  return [place, counterparty, description, reference, account].map((value) => text(value));
}

const EVIDENCE_WIDTHS = [12, 24, 36, 19, 28];
const evidenceHeadings = (say: Say): Cell[] => [
  ...headingsNamed(say, 'text', 'report.columns.reference', 'report.columns.counterparty', 'report.columns.details'),
  ...headingsNamed(say, 'text', 'workbook.bankReference', 'report.columns.account'),
];

/** Columns of an item, from 0. The tax and its percentage are there only in a report with taxes. */
export const ITEM_COLUMNS = { category: 0, month: 2, expense: 10, claim: 12, taxPercent: 13, tax: 14 } as const;

/** After all other columns of a line: how its amount came to be in the currency of the report. */
const CONVERSION_WIDTHS = [14, 9, 14, 12];
const RATE = 2;

const conversionHeadings = (say: Say): Cell[] => [
  heading(say('report.columns.original'), 'number'),
  heading(say('report.columns.currency')),
  heading(say('report.columns.rate'), 'number'),
  heading(say('report.columns.rateFor')),
];

function conversionCells({ amount, currency, conversion }: DetailLine): Cell[] {
  if (!conversion) return CONVERSION_WIDTHS.map(() => null);
  const { rate, rateFor, quotes } = conversion;
  return [number(negated(amount)), text(currency), number(rate, { formula: quotes && `${quotes[0]}/${quotes[1]}` }), text(rateFor)];
}

/** The original amount times the rate, rounded once. `first` is the column of the original amount. */
const conversionFormula = (row: number, first: number, digits: number): string =>
  `ROUND(${letterOf(first)}${row}*${letterOf(first + RATE)}${row},${digits})`;

const WIDTHS = [5, 17, 10, 12, ...EVIDENCE_WIDTHS, 13, 12, 10, 17];
const TAX_WIDTHS = [10, 17];
const NUMBER_WIDTH = 10;

const headings = ({ say }: WorkbookWords, result: Computed): Cell[] => [
  heading(say('workbook.number'), 'number'),
  heading(say('report.columns.category')),
  ...headingsNamed(say, 'number', 'report.columns.month', 'report.columns.date'),
  ...evidenceHeadings(say),
  heading(say('workbook.rule')),
  heading(say('report.columns.amount'), 'number'),
  heading(`${say('report.columns.share')}, %`, 'number'),
  heading(say('workbook.notRounded'), 'number'),
  ...(hasTax(result) ? [heading(`${say('report.columns.taxRate')}, %`, 'number'), heading(say('workbook.taxNotRounded'), 'number')] : []),
  ...(result.conversions ? conversionHeadings(say) : []),
  heading(say('report.columns.item'), 'number'),
];

/** Every claimed line with its claim, which is not rounded: a report rounds once per category and month. */
export interface Items {
  readonly sheets: readonly LinesSheet[];
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
  const make = (some: Iterable<DetailLine>) => ({ rows: rowsOf(report, book, numbers, some, decimals), widths });
  return { sheets: inSheets(book.say('workbook.sheets.items'), lines, make), decimals };
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

function* rowsOf(report: Report, book: WorkbookWords, numbers: ItemNumbers, lines: Iterable<DetailLine>, upTo: number): Iterable<Row> {
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
        text(line.decidedBy ?? line.rule),
        number(expense, {
          formula: line.conversion && conversionFormula(last, (withTax ? ITEM_COLUMNS.tax : ITEM_COLUMNS.claim) + 1, decimals),
        }),
        number(line.claimablePercent),
        number(line.claimable, { decimals, upTo }),
        ...(withTax ? taxCells(line, tax, last, decimals) : []),
        ...(result.conversions ? conversionCells(line) : []),
        number(String(numbers.take(line))),
      ],
    };
  }
  const total = (sum: Money, column: number): Cell =>
    number(formatMoney(sum, decimals), { decimals, upTo, look: 'total', formula: subtotalOf(column, 2, last) });
  yield {
    cells: [
      ...[text('', 'total'), text(book.say('report.total'), 'total')],
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

function taxCells({ taxPercent, statedTax }: DetailLine, tax: string | null, row: number, decimals: number): Cell[] {
  if (tax === null) return [null, null];
  if (statedTax !== undefined) return [null, number(tax, { decimals, upTo: SHOWN_TAX_DECIMALS })];
  const place = (column: number) => `${letterOf(column)}${row}`;
  const percent = place(ITEM_COLUMNS.taxPercent);
  const formula = `${place(ITEM_COLUMNS.claim)}*${percent}/(100+${percent})`;
  return [number(taxPercent!), number(tax, { decimals, upTo: SHOWN_TAX_DECIMALS, formula })];
}

const FIRST_EXPENSE = 1 + EVIDENCE_WIDTHS.length + 2;

/** The lines that are not items: those that no category claims, and those in other currencies, which have a column each. */
export function otherLinesSheets(report: Report, book: WorkbookWords): Sheet[] {
  const { result } = report;
  const lines = someLines(shownLines(report), (line) => !isClaimed(report, line));
  const currencies = [result.currency, ...result.otherCurrencies.map(({ currency }) => currency)];
  const widths = [12, ...EVIDENCE_WIDTHS, 18, 20, ...currencies.map(() => 14), ...(result.conversions ? CONVERSION_WIDTHS : [])];
  return inSheets(book.say('workbook.sheets.otherLines'), lines, (some) => ({ rows: otherRowsOf(report, book, some, currencies), widths }));
}

function* otherRowsOf(
  report: Report,
  book: WorkbookWords,
  lines: Iterable<DetailLine>,
  currencies: readonly (string | null)[],
): Iterable<Row> {
  const references = referencesOf(report);
  const { conversions } = report.result;
  const digits = minorDigitsOf(report.result.currency);
  yield { cells: [...headingsOf(book.say, currencies), ...(conversions ? conversionHeadings(book.say) : [])] };
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
        text(line.decidedBy ?? line.rule),
        ...currencies.map((_currency, index) => (index === column ? number(expense, { formula }) : null)),
        ...(conversions ? conversionCells(line) : []),
      ],
    };
  }
  const total = (sum: Money, index: number): Cell =>
    number(formatMoney(sum, minorDigitsOf(currencies[index]!)), { look: 'total', formula: subtotalOf(FIRST_EXPENSE + index, 2, last) });
  yield { cells: [text(book.say('report.total'), 'total'), ...filler(FIRST_EXPENSE - 1, 'total'), ...sums.map(total)] };
}

const headingsOf = (say: Say, currencies: readonly (string | null)[]): Cell[] => [
  heading(say('report.columns.date'), 'number'),
  ...evidenceHeadings(say),
  heading(say('report.columns.category')),
  heading(say('workbook.rule')),
  ...currencies.map((currency) => heading(`${say('report.columns.amount')}, ${currency ?? say('workbook.noCurrency')}`, 'number')),
];

/** The rates that lines were converted with, their source, and the sums of what was converted. */
export function ratesSheet({ result }: Report, { say }: WorkbookWords, conversions: ClaimReportConversionsDto): Sheet {
  const { source, currencies, rates, ratesNotListed } = conversions;
  const rows: Row[] = [
    {
      cells: [
        heading(say('report.columns.currency')),
        ...headingsNamed(say, 'number', 'report.columns.read', 'report.columns.net'),
        heading(`${say('report.columns.converted')}, ${result.currency}`, 'number'),
      ],
    },
    ...currencies.map(({ currency, count, net, converted }): Row => ({
      cells: [text(currency), number(String(count)), number(net), number(converted)],
    })),
    { cells: [] },
    {
      cells: [
        heading(say('report.columns.currency')),
        ...headingsNamed(say, 'number', 'report.columns.read', 'report.columns.rate', 'report.columns.rateFor'),
      ],
    },
    ...rates.map(({ currency, rateFor, rate, count }): Row => ({
      cells: [text(currency), number(String(count)), number(rate), text(rateFor)],
    })),
    ...(ratesNotListed > 0 ? [{ cells: [text(say('report.method.ratesNotListed', { count: ratesNotListed }))] }] : []),
    { cells: [] },
    { cells: [text(say('report.method.paragraphs.converted', { source }))] },
  ];
  return sheetOf(say('workbook.sheets.rates'), [60, 12, 18, 18], rows);
}

/** What receipts are called, and their files. */
export function receiptsSheet({ say }: WorkbookWords, receipts: readonly ClaimReportReceiptDto[]): Sheet {
  const heads = [...headingsNamed(say, 'text', 'report.columns.reference', 'report.columns.file'), heading('SHA-256')];
  const rows = receipts.map(({ reference, fileName, sha256 }): Row => ({ cells: [reference, fileName, sha256].map((cell) => text(cell)) }));
  return sheetOf(say('report.sections.receipts'), [12, 40, 70], [{ cells: heads }, ...rows], rows.length + 1);
}

const COUNTS = ['linesRead', 'linesUsed', 'duplicates'] as const;
const FIRST_COUNT = 5;

/** The statements that were read. Each currency has columns of its own for balances. */
export function statementsSheet({ statements }: Report, book: WorkbookWords): Sheet {
  const currencies = [...new Set(statements.flatMap(({ balances }) => balances.map(({ currency }) => currency)))].sort();
  const rows = statements.flatMap((statement) => statementRows(statement, currencies, book));
  const last = rows.length + 1;
  const totals = COUNTS.map((name, index) => {
    const sum = statements.reduce((total, statement) => total + statement[name], 0);
    return number(String(sum), { look: 'total', formula: subtotalOf(FIRST_COUNT + index, 2, last) });
  });
  const total: Cell[] = [text(book.say('report.total'), 'total'), ...filler(FIRST_COUNT - 1, 'total'), ...totals];
  const widths = [12, 30, 24, 12, 12, 9, 9, 10, ...currencies.flatMap(() => [14, 14]), 22, 36, 40];
  const all = [{ cells: statementHeadings(book, currencies) }, ...rows, { cells: total }];
  return sheetOf(book.say('workbook.sheets.statements'), widths, all, last);
}

function statementHeadings({ say }: WorkbookWords, currencies: readonly (string | null)[]): Cell[] {
  const balances = currencies.flatMap((currency) =>
    (['opening', 'closing'] as const).map((name) =>
      heading(`${say(`report.columns.${name}`)}, ${currency ?? say('workbook.noCurrency')}`, 'number'),
    ),
  );
  return [
    ...headingsNamed(say, 'text', 'report.columns.reference', 'report.columns.file', 'report.columns.account'),
    ...headingsNamed(say, 'number', 'workbook.firstDay', 'workbook.lastDay'),
    ...headingsNamed(say, 'number', 'report.columns.read', 'report.columns.used', 'report.columns.repeated'),
    ...balances,
    heading(say('report.columns.certainty')),
    heading('SHA-256'),
    heading(say('workbook.statementId')),
  ];
}

/** A row, and another for each further account in the file. */
function statementRows(statement: ReportStatement, currencies: readonly (string | null)[], { say }: WorkbookWords): Row[] {
  const { reference, fileName, accountLabel, periodStart, periodEnd, balances, certainty, sha256, id } = statement;
  const balanceCells = (balance?: ReportStatement['balances'][number]) =>
    currencies.flatMap((currency) => (balance?.currency === currency ? [number(balance.opening), number(balance.closing)] : [null, null]));
  const [first, ...others] = balances;
  const cells = [
    ...[text(reference), text(fileName), text(accountLabel), date(periodStart), date(periodEnd)],
    ...COUNTS.map((name) => number(String(statement[name]))),
    ...balanceCells(first),
    text(certainty && say(`report.statements.certainty.${certainty}`)),
    text(sha256),
    text(id),
  ];
  return [
    { cells },
    ...others.map((balance) => ({
      cells: [text(reference), null, text(balance.account), null, null, null, null, null, ...balanceCells(balance)],
    })),
  ];
}
