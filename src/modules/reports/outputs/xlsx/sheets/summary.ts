import { formatMoney, minorDigitsOf } from '../../../../../kernel/money.js';
import type { Computed } from '../../../result.dto.js';
import { claimedOf, hasTax, referencesOf, type Report } from '../../report.js';
import { leadingFindings } from '../../wording/sentences.js';
import { CLAIM_COLUMN, columnRange, date, figureCells, fixedRange, heading, headingsNamed, letterOf, month, number } from '../sheet.js';
import { quotedName, subtotalOf, text, unclaimedOf } from '../sheet.js';
import type { Cell, Figures, Row, Sheet, WorkbookWords } from '../sheet.js';
import type { CategoriesSheet } from './categories.js';

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
  return { name: book.say('workbook.sheets.summary'), widths, rows, rowCount: rows.length };
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
  heading(say('report.columns.coverage')),
  heading(say('report.columns.statements')),
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
  return {
    name: book.say('workbook.sheets.months'),
    widths: [11, 9, 14, 14, 14, 14, ...(hasTax(result) ? [14, 14] : []), 14, 40],
    rows: [{ cells: headings(book) }, ...rows, { cells: total }],
    rowCount: last + 1,
    table: { last },
  };
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
  return { name: say('workbook.sheets.exceptions'), widths: [6, 100, 16, 16, 12], rows, rowCount: rows.length };
}
