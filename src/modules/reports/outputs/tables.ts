import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Wording } from '../../../api/wording/wording.js';
import { withoutFormulas } from '../../../kernel/formula.js';
import { minorDigitsOf } from '../../../kernel/money.js';
import { snakeCase } from '../../../kernel/text.js';
import type { AmountsDto, ClaimReportFormLineDto, Computed } from '../result.dto.js';
import { containedTax, type DetailLine, type DetailLines, type FileSink, hasTax, isInTotals, type Report } from './report.js';

/** A number is an exact decimal, a date `2026-03-31`, a month `2026-03`; null is an empty cell. */
export type Cell = string | null;

export interface Column {
  readonly name: string;
  readonly is: 'text' | 'number' | 'date' | 'month';
}

/** The tables of a report. Each kind of file writes them in its own format. */
interface Table {
  readonly columns: readonly Column[];
  readonly rows: Iterable<readonly Cell[]>;
}

export const text = (name: string): Column => ({ name, is: 'text' });
export const number = (name: string): Column => ({ name, is: 'number' });
const month: Column = { name: 'month', is: 'month' };
export const date = (name: string): Column => ({ name, is: 'date' });

const AMOUNTS = [number('count'), number('gross'), number('refunds'), number('net'), number('claimable')];
const TAXES = [number('claimable_tax'), number('claimable_net')];
const amountColumns = (result: Computed): Column[] => [...AMOUNTS, ...(hasTax(result) ? TAXES : [])];
const amountsOf = ({ count, gross, refunds, net, claimable, claimableTax, claimableNet }: AmountsDto): Cell[] => [
  ...[String(count), gross, refunds, net, claimable],
  ...(claimableTax === undefined ? [] : [claimableTax, claimableNet!]),
];

const PATTERNS: Record<Column['is'], RegExp> = {
  text: /^/,
  number: /^-?\d+(?:\.\d+)?$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  month: /^\d{4}-\d{2}$/,
};

/** The kind of a cell: that of its column if its value has that form, else text. */
const kindOf = ({ is }: Column, cell: string): Column['is'] => (PATTERNS[is].test(cell) ? is : 'text');

/** Uncategorised lines are only summed up as a whole: their row has no month, and only count and net. */
function uncategorisedRow(result: Computed, noMonth: Cell[]): Cell[] {
  const { count, net } = result.uncategorised;
  return [null, 'Uncategorised', ...noMonth, String(count), null, null, net, null, ...(hasTax(result) ? TAXES.map(() => null) : [])];
}

function groupedTable({ result, options }: Report): Table {
  const [byCategory, byMonth] = [options.groupBy.includes('category'), options.groupBy.includes('month')];
  const { totals, months, categories } = result;
  if (!byCategory && !byMonth)
    return { columns: [...amountColumns(result), number('uncategorised')], rows: [[...amountsOf(totals), totals.uncategorised]] };
  const columns = [...(byCategory ? [text('category'), text('name')] : []), ...(byMonth ? [month] : []), ...amountColumns(result)];
  const rowsOf = (all: Computed['months'], ...names: Cell[]) => all.map((one) => [...names, one.month, ...amountsOf(one)]);
  if (!byCategory) return { columns, rows: rowsOf(months) };
  const rows = categories.flatMap((one) => (byMonth ? rowsOf(one.months, one.code, one.name) : [[one.code, one.name, ...amountsOf(one)]]));
  if (options.includeUncategorised) rows.push(uncategorisedRow(result, byMonth ? [null] : []));
  return { columns, rows };
}

/** Some of the lines, as they are or changed. Made while they are read, because copies of all lines would take too much memory. */
export function someLines(lines: DetailLines, isOne: (line: DetailLine) => boolean, change = (line: DetailLine) => line): DetailLines {
  let length = 0;
  for (const line of lines) if (isOne(line)) length += 1;
  return {
    length,
    *[Symbol.iterator]() {
      for (const line of lines) if (isOne(line)) yield change(line);
    },
  };
}

/** Lines without a category are only shown if the options say so. */
export const isShown = ({ options }: Report, { category }: DetailLine): boolean => options.includeUncategorised || category !== null;

/** The lines that the files show. A line that is not in the totals, because of its currency, has no claim. */
export const shownLines = (report: Report): DetailLines =>
  someLines(
    report.lines,
    (line) => isShown(report, line),
    (line) => (isInTotals(line, report.result.currency) ? line : { ...line, claimable: null }),
  );

/** Whether a line of the figures is part of the claim: it has a category, and is in the totals. */
export const isClaimed = ({ result }: Report, line: DetailLine): boolean =>
  line.categoryIndex !== null && isInTotals(line, result.currency);

export function* claimedLines(report: Report): Iterable<DetailLine> {
  for (const line of report.lines) if (isClaimed(report, line)) yield line;
}

/**
 * The numbers of the items of a report, from 1: by category, then by day, then in the order of the statements. Every file that names
 * an item has them from here. Counts the items of each day instead of sorting them, because there may be millions.
 */
export class ItemNumbers {
  private readonly next = new Map<string, number>();

  constructor(report: Report) {
    const counts = new Map<string, number>();
    for (const line of claimedLines(report)) counts.set(keyOf(line), (counts.get(keyOf(line)) ?? 0) + 1);
    let number = 1;
    for (const key of [...counts.keys()].sort()) {
      this.next.set(key, number);
      number += counts.get(key)!;
    }
  }

  /** The number of a claimed line. To be asked once for each, and for those of a category and day in the order of the report's lines. */
  take(line: DetailLine): number {
    const key = keyOf(line);
    const number = this.next.get(key)!;
    this.next.set(key, number + 1);
    return number;
  }
}

/** Sorts as text: the categories of a report are fewer than a billion. */
const keyOf = ({ categoryIndex, bookedOn }: DetailLine): string => `${String(categoryIndex).padStart(9, '0')} ${bookedOn}`;

type Computable = 'claimableTax' | 'convertedAmount' | 'rate' | 'rateFor' | 'rateSource';
type LineField = Exclude<keyof DetailLine, 'categoryIndex' | 'conversion' | 'statedTax'> | Computable;
type LineColumn = Column & { readonly field: LineField };

/** `booked_on` for `bookedOn`. */
const columnsFor = (column: (name: string) => Column, ...fields: readonly LineField[]): LineColumn[] =>
  fields.map((field) => ({ ...column(snakeCase(field)), field }));

const LINE_COLUMNS: readonly LineColumn[] = [
  ...columnsFor(text, 'statementId'),
  ...columnsFor(number, 'lineNumber'),
  ...columnsFor(date, 'bookedOn'),
  ...columnsFor(text, 'account', 'counterparty', 'description', 'reference'),
  ...columnsFor(number, 'amount'),
  ...columnsFor(text, 'currency', 'category', 'rule'),
  ...columnsFor(number, 'claimablePercent', 'claimable'),
];
const TAX_COLUMNS = columnsFor(number, 'taxPercent', 'claimableTax');
const DECISION_COLUMNS = columnsFor(text, 'decidedBy');
const RECEIPT_COLUMNS = columnsFor(text, 'receipts');
const RATE_COLUMNS = [...columnsFor(number, 'convertedAmount', 'rate'), ...columnsFor(text, 'rateFor', 'rateSource')];

const columnsOf = ({ result, hasDecisions }: Report): readonly LineColumn[] => [
  ...LINE_COLUMNS,
  ...(hasDecisions ? DECISION_COLUMNS : []),
  ...(result.receipts ? RECEIPT_COLUMNS : []),
  ...(hasTax(result) ? TAX_COLUMNS : []),
  ...(result.conversions ? RATE_COLUMNS : []),
];

/** The fields of a line that files contain, in the order of their columns. */
function fieldsOf(line: DetailLine, columns: readonly LineColumn[], result: Computed): [LineField, string | number | null][] {
  const { conversion } = line;
  const all = {
    ...line,
    claimableTax: containedTax(line, minorDigitsOf(result.currency)),
    convertedAmount: conversion?.amount,
    rate: conversion?.rate,
    rateFor: conversion?.rateFor,
    rateSource: conversion && result.conversions?.source,
  };
  return columns.map(({ field }) => [field, all[field] ?? null]);
}

function linesTable(report: Report): Table {
  const columns = columnsOf(report);
  return { columns, rows: rowsOf(report, columns) };
}

/** Generated row by row, because the cells of all lines would take too much memory. */
function* rowsOf(report: Report, columns: readonly LineColumn[]): Iterable<readonly Cell[]> {
  for (const line of shownLines(report))
    yield fieldsOf(line, columns, report.result).map(([, value]) => (typeof value === 'number' ? String(value) : value));
}

/** The lines as objects with the fields that files contain. */
function* lineObjects(report: Report): Iterable<object> {
  const columns = columnsOf(report);
  for (const line of shownLines(report)) yield Object.fromEntries(fieldsOf(line, columns, report.result));
}

const CHUNK_LENGTH = 1 << 16;

type Encode = (text: string) => Buffer;
const toUtf8: Encode = (text) => Buffer.from(text);

/** Texts as bytes, in chunks. Gives way to the event loop after each chunk. */
export async function* chunksOf(texts: Iterable<string>, encode = toUtf8): AsyncGenerator<Buffer> {
  let pending = '';
  for (const text of texts) {
    pending += text;
    if (pending.length < CHUNK_LENGTH) continue;
    yield encode(pending);
    pending = '';
    await nextTurn();
  }
  yield encode(pending);
}

export async function writeTexts(file: FileSink, texts: Iterable<string>, encode = toUtf8): Promise<void> {
  for await (const chunk of chunksOf(texts, encode)) file.add(chunk);
}

/** Without it, Excel reads UTF-8 as the code page of the machine. */
const BYTE_ORDER_MARK = '\ufeff';

/** One table as CSV (RFC 4180): the lines if `detail` is `lines`, else the grouped result. */
export function writeCsv(report: Report, file: FileSink): Promise<void> {
  return writeTable(report.options.detail === 'lines' ? linesTable(report) : groupedTable(report), file);
}

export const writeTable = (table: Table, file: FileSink): Promise<void> => writeTexts(file, textsOf(table));

export const csvOf = (table: Table): string => [...textsOf(table)].join('');

function* textsOf({ columns, rows }: Table): Iterable<string> {
  yield `${BYTE_ORDER_MARK}${columns.map(({ name }) => name).join(',')}\r\n`;
  for (const row of rows) yield `${row.map((cell, index) => fieldOf(columns[index]!, cell)).join(',')}\r\n`;
}

function fieldOf(column: Column, cell: Cell): string {
  if (cell === null) return '';
  if (kindOf(column, cell) === 'number') return cell;
  const text = withoutFormulas(cell);
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The result as the API returns it; lines, of which there may be many, one per row. */
export const writeJson = (report: Report, file: FileSink): Promise<void> => writeTexts(file, jsonOf(report));

function* jsonOf(report: Report): Iterable<string> {
  const result = JSON.stringify(report.result, null, 2);
  if (report.options.detail === 'none') {
    yield `${result}\n`;
    return;
  }
  yield `${result.slice(0, -'\n}'.length)},\n  "lines": [`;
  let separator = '\n';
  for (const line of lineObjects(report)) {
    yield `${separator}    ${JSON.stringify(line)}`;
    separator = ',\n';
  }
  yield '\n  ]\n}\n';
}

const FORM_COLUMNS: readonly Column[] = [
  ...['section', 'id', 'number', 'label', 'value'].map(text),
  ...['amount', 'computed', 'at_most', 'percent'].map(number),
  ...['categories', 'evidence'].map(text),
];

/** The form of a claim as CSV, line by line in its own order, for whoever copies it into the form itself. */
export const writeForm = (report: Report, file: FileSink): Promise<void> =>
  writeTable({ columns: FORM_COLUMNS, rows: formRowsOf(report) }, file);

function* formRowsOf({ result: { form } }: Report): Iterable<readonly Cell[]> {
  for (const { title, lines } of form!.sections)
    for (const { id, number: no, label, value, amount, computed, atMost, percent, categories, evidence } of lines)
      yield [
        ...[title, id, no, label, value, amount],
        ...[computed, atMost, percent, categories?.join(' ')].map((cell) => cell ?? null),
        evidence,
      ];
}

type Words = Pick<Wording, 'say' | 'formats'>;

/** What stands on a line that has no amount. Days are written as the language does. */
export const valueOf = ({ formats }: Words, { value }: ClaimReportFormLineDto): string =>
  value === null ? '' : /^\d{4}-\d\d-\d\d$/.test(value) ? formats.day(value) : value;

/** How the amount of a line came about, and what has to be at hand for it. */
export function noteOf({ say, formats: { number: shown, percent: inPercent } }: Words, line: ClaimReportFormLineDto): string {
  const { categories, percent, computed, atMost, evidence } = line;
  return [
    categories?.join(', '),
    percent === undefined ? null : inPercent(percent),
    computed === undefined ? null : say('report.form.computed', { amount: shown(computed) }),
    atMost === undefined ? null : say('report.form.atMost', { amount: shown(atMost) }),
    evidence,
  ]
    .filter(Boolean)
    .join(' · ');
}
