import type { WordingKey } from '../../../../../api/wording/catalogues.js';
import { formatMoney, minorDigitsOf } from '../../../../../kernel/money.js';
import type { ClaimReportCategoryDto, ClaimReportFormDto, Computed } from '../../../result.dto.js';
import { noteOf, valueOf } from '../../tables.js';
import { claimedOf, hasTax, referencesOf, type Report } from '../../report.js';
import { leadingFindings } from '../../wording/sentences.js';
import { columnRange, date, filler, fixedRange, heading, letterOf, month } from '../../../../../../tools/xlsx-sheets/index.js';
import { type Cell, number, quotedName, type Row, type Sheet, subtotalOf, text } from '../../../../../../tools/xlsx-sheets/index.js';
import { CLAIM_COLUMN, figureCells, type Figures, headingsNamed, sheetOf, TAX_COLUMN, unclaimedOf } from '../figures.js';
import { WITHOUT_TAX_COLUMN, type WorkbookWords } from '../figures.js';
import { ITEM_COLUMNS, type Items } from './items.js';

const FIGURES = 2;
const EMPTY: Row = { cells: [] };
const FACTS = 3;

export function summarySheet(report: Report, book: WorkbookWords, categories: CategoriesSheet | undefined): Sheet {
  const facts = factRows(report, book);
  const leading = leadingFindings(report).map((finding): Row => ({ cells: [text(book.sentenceOf(finding), 'subtotal')] }));
  const first = FACTS + leading.length + facts.length + 2;
  const claims = claimRows(report, book, categories, first);
  const rows: Row[] = [
    { cells: [text(book.say('report.title'), 'title')] },
    ...leading,
    EMPTY,
    claimFact(report, book, first + 1 + (categories ? report.result.categories.length : 0)),
    ...facts,
    EMPTY,
    ...claims,
  ];
  const others = otherCurrencyRows(report, book);
  if (others.length > 0) rows.push(EMPTY, ...others);
  const columns = FIGURES + Math.max(book.figures.length, report.result.otherCurrencies.length);
  const widths = Array.from({ length: columns }, (_value, column) => [30, 44, 10][column] ?? 14);
  return sheetOf(book.say('workbook.sheets.summary'), widths, rows);
}

function claimFact({ result }: Report, { say }: WorkbookWords, totalRow: number): Row {
  const formula = `${letterOf(FIGURES + CLAIM_COLUMN)}${totalRow}`;
  return { cells: [text(say('report.summary.claimed'), 'subtotal'), { ...number(result.totals.claimable, { formula })!, look: 'claim' }] };
}

function factRows({ about, result }: Report, { say }: WorkbookWords): Row[] {
  const facts: [string, Cell][] = [
    [say('report.fields.organization'), text(about.organization)],
    [say('report.fields.project'), text(about.project)],
    [say('report.fields.clientReference'), text(about.clientReference)],
    [say('report.fields.configuration'), text(about.configuration)],
    [say('workbook.firstDay'), date(result.period?.start ?? null)],
    [say('workbook.lastDay'), date(result.period?.end ?? null)],
    [say('report.fields.currency'), text(result.currency)],
    [say('workbook.coverage'), number(result.evidence.coveragePercent)],
    [say('report.fields.run'), text(about.runId)],
    [say('workbook.startedAt'), { value: about.startedAt, format: 'time' }],
    [say('report.fields.engine'), text(result.engineVersion)],
    [say('report.fields.hash'), text(result.inputsHash)],
  ];
  return facts.flatMap(([name, cell]) => (cell === null ? [] : [{ cells: [text(name), { ...cell, look: 'fact' as const }] }]));
}

/** The sums of each category, taken from its sheet, their total, and the lines that no category claims. */
function claimRows(
  { result, options }: Report,
  { say, figures }: WorkbookWords,
  categories: CategoriesSheet | undefined,
  first: number,
): Row[] {
  const digits = minorDigitsOf(result.currency);
  const claimed = claimedOf(result);
  const rows: Row[] = [
    { cells: [heading(say('workbook.code')), heading(say('report.columns.category')), ...figures.map((name) => heading(name, 'number'))] },
    ...(categories ? result.categories : []).map(({ code, name, ...ofCategory }, index): Row => {
      const formulaOf = (column: number) =>
        `${quotedName(categories!.name)}!${letterOf(categories!.columns.figures + column)}${categories!.categoryRows[index]}`;
      return { cells: [text(code), text(name), ...figureCells(ofCategory, { formulaOf })] };
    }),
  ];
  const last = first + rows.length - 1;
  const formulaOf = (column: number) => (last === first ? undefined : `SUM(${columnRange(FIGURES + column, first + 1, last)})`);
  const named = (name: string, look?: 'total'): Cell[] => [text(name, look), text('', look)];
  rows.push({ cells: [...named(say('workbook.claimedTotal'), 'total'), ...figureCells(claimed, { look: 'total', formulaOf })] });
  if (options.includeUncategorised) {
    const sum = (column: number) => `SUM(${columnRange(FIGURES + column, last + 1, last + 2)})`;
    rows.push({ cells: [...named(say('report.summary.notClaimed')), ...figureCells(unclaimedOf(result.totals, claimed, digits))] });
    rows.push({ cells: [...named(say('workbook.allLines'), 'total'), ...figureCells(result.totals, { look: 'total', formulaOf: sum })] });
  }
  return categories === undefined || categories.columns.checks.length === 0
    ? rows
    : [...rows, EMPTY, differenceRow(say('workbook.largestDifference'), categories, digits)];
}

/** 0, unless somebody has changed a claim or an item since. */
function differenceRow(label: string, { name, columns, lastRow }: CategoriesSheet, digits: number): Row {
  const ranges = columns.checks.map(({ difference }) => fixedRange(name, difference, 2, Math.max(2, lastRow)));
  const formula = `MAX(${ranges.map((range) => `MAX(${range}),-MIN(${range})`).join(',')})`;
  return { cells: [text(label), null, ...[null, null, null, null], number('0', { decimals: digits, formula })] };
}

/** A column for each currency, so that none has amounts in two. */
function otherCurrencyRows({ result: { otherCurrencies } }: Report, { say, figures: headings }: WorkbookWords): Row[] {
  if (otherCurrencies.length === 0) return [];
  const [lines, ...amounts] = headings.slice(0, -1);
  const names = ['gross', 'refunds', 'net'] as const;
  return [
    {
      cells: [
        heading(say('workbook.otherCurrencies')),
        heading(''),
        ...otherCurrencies.map(({ currency }) => heading(currency ?? say('workbook.noCurrency'), 'number')),
      ],
    },
    { cells: [text(lines!), null, ...otherCurrencies.map(({ count }) => number(String(count)))] },
    ...names.map((name, index) => ({ cells: [text(amounts[index]!), null, ...otherCurrencies.map((figures) => number(figures[name]))] })),
  ];
}

const headings = ({ say, figures }: WorkbookWords): Cell[] => [
  heading(say('report.columns.month'), 'number'),
  ...figures.map((name) => heading(name, 'number')),
  ...headingsNamed(say, 'text', 'report.columns.coverage', 'report.columns.statements'),
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
        text(evidence ? book.say(`report.calendar.status.${evidence.status}`) : null),
        text(statements || null),
      ],
    };
  });
  const last = rows.length + 1;
  const formulaOf = (column: number) => subtotalOf(column + 1, 2, last);
  const total = [month(book.say('report.total'), 'total'), ...figureCells(result.totals, { look: 'total', formulaOf })];
  const widths = [11, 9, 14, 14, 14, 14, ...(hasTax(result) ? [14, 14] : []), 14, 40];
  return sheetOf(book.say('workbook.sheets.months'), widths, [{ cells: headings(book) }, ...rows, { cells: total }], last);
}

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

/** What to check before the claim is sent, and the sums that must be equal. */
export function exceptionsSheet({ findings, result }: Report, { say, sentenceOf, nameOfControl }: WorkbookWords): Sheet {
  const found = findings.map((finding, index): Row => ({ cells: [number(String(index + 1)), text(sentenceOf(finding))] }));
  const controls = result.controls.map(({ name, expected, actual, ok }): Row => ({
    cells: [null, text(nameOfControl(name)), number(expected), number(actual), text(say(ok ? 'report.yes' : 'report.no'))],
  }));
  const rows: Row[] = [
    { cells: [heading(say('workbook.number'), 'number'), heading(say('report.exceptions.note'))] },
    ...(found.length > 0 ? found : [{ cells: [null, text(say('report.exceptions.none'))] }]),
    { cells: [] },
    {
      cells: [
        heading(''),
        heading(say('report.method.controls')),
        ...headingsNamed(say, 'number', 'report.columns.expected', 'report.columns.actual'),
        heading(say('report.columns.agrees')),
      ],
    },
    ...controls,
  ];
  return sheetOf(say('workbook.sheets.exceptions'), [6, 100, 16, 16, 12], rows);
}

/** Where formulas of other sheets find the categories. */
interface CategoriesSheet extends Sheet {
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
  const widths = [6, 18, 44, ...(byMonth ? [11] : []), 9, ...book.figures.slice(1).map(() => 14), ...checks.flatMap(() => [16, 12])];
  return { ...sheetOf(book.say('workbook.sheets.categories'), widths, rows, lastRow), categoryRows, lastRow, columns };
}

function categoryHeadings({ say, figures }: WorkbookWords, { month: byMonth, checks }: Columns): Cell[] {
  return [
    heading(say('workbook.number'), 'number'),
    ...headingsNamed(say, 'text', 'workbook.code', 'report.columns.category'),
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

/** The claim as its form has it, in the order of the form. */
export function formSheet({ name, edition, source, sections }: ClaimReportFormDto, book: WorkbookWords): Sheet {
  const { say } = book;
  const heads = [
    ...headingsNamed(say, 'text', 'report.columns.reference', 'report.columns.details'),
    ...headingsNamed(say, 'number', 'report.columns.amount'),
    ...headingsNamed(say, 'text', 'report.columns.note'),
  ];
  const rows: Row[] = [
    { cells: heads },
    { cells: [null, text(name, 'subtotal')] },
    { cells: [null, text(`${edition}. ${source}.`)] },
    ...sections.flatMap(({ title, lines }): Row[] => [
      { cells: [null, text(title, 'subtotal')] },
      ...lines.map((line): Row => ({
        cells: [text(line.number), text(line.label), number(line.amount), text(valueOf(book, line) || noteOf(book, line) || null)],
      })),
    ]),
  ];
  return sheetOf(say('workbook.sheets.form'), [8, 60, 16, 60], rows);
}
