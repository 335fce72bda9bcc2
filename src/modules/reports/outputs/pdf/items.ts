import type { Formats } from '../../../../api/wording/formats.js';
import { formatMoney, minorDigitsOf, moneyOf } from '../../../../kernel/money.js';
import { getOrCreate } from '../../engine/amounts/currency-ledger.js';
import { monthOf } from '../../engine/calendar-days.js';
import type { AmountsDto, ClaimReportCategoryDto, ClaimReportMonthDto } from '../../result.dto.js';
import { containedTax, type DetailLine, expenseOf, hasTax, negated, placeOf, referencesOf } from '../report.js';
import { claimedLines, ItemNumbers } from '../tables.js';
import { claimedOf } from '../category-sums.js';
import { nameOfCategory } from '../wording/sentences.js';
import { columnsNamed, drawHeading, drawNote, type Edition } from './edition.js';
import { drawTable, type Column, type Row } from './table.js';

/** More would make a file that nobody reads, and more pages than a worker has memory for. */
export const MOST_ITEMS = 5_000;

/** Every claimed line with its evidence, by category and month, so that the figures of the other tables can be added up. */
export function drawItems(edition: Edition): void {
  const { say, report } = edition;
  const { result } = report;
  const { count } = claimedOf(result);
  drawHeading(edition, say('report.sections.items'), 2);
  if (count === 0) return drawNote(edition, say('report.items.none'));
  if (count > MOST_ITEMS) return drawNote(edition, say('report.items.tooMany', { count, most: MOST_ITEMS }));
  drawNote(edition, say('report.items.note'));
  const items = itemsByCategory(edition);
  result.categories.forEach((category, index) => {
    if (category.count > 0) drawCategory(edition, category, items[index]!);
  });
}

interface Item {
  readonly number: number;
  readonly line: DetailLine;
}

function itemsByCategory({ report }: Edition): Item[][] {
  const numbers = new ItemNumbers(report);
  const found = report.result.categories.map((): Item[] => []);
  for (const line of claimedLines(report)) found[line.categoryIndex!]!.push({ number: numbers.take(line), line });
  for (const items of found) items.sort((a, b) => a.number - b.number);
  return found;
}

function drawCategory(edition: Edition, category: ClaimReportCategoryDto, items: readonly Item[]): void {
  const { paper, say, formats } = edition;
  const references = referencesOf(edition.report);
  const byMonth = new Map<string, Item[]>();
  for (const item of items) getOrCreate(byMonth, monthOf(item.line.bookedOn), () => []).push(item);
  const rows = category.months.flatMap((month) => {
    const ofMonth = byMonth.get(month.month) ?? [];
    return [...ofMonth.map((item) => rowOf(edition, item, references.get(item.line.statementId)!)), ...sumsOf(edition, month, ofMonth)];
  });
  const [net, claim] = [formats.number(category.net), formats.number(category.claimable)];
  const total = sumRow(say('report.totalOf', { what: category.name }), net, claim, taxCells(edition, category));
  drawHeading(edition, nameOfCategory(category), 3);
  drawTable(paper, columnsOf(edition), [...rows, total]);
}

function rowOf({ formats, report: { result } }: Edition, { number, line }: Item, reference: string): Row {
  const tax = containedTax(line, minorDigitsOf(result.currency));
  const percent = line.taxPercent ? formats.percent(line.taxPercent) : '';
  const taxes = [percent, tax === null ? '' : formats.number(tax)];
  return {
    cells: [
      String(number),
      placeOf(line, reference),
      formats.day(line.bookedOn),
      line.counterparty ?? '',
      [line.description, line.reference, conversionOf(line, formats)].filter(Boolean).join(' · '),
      formats.number(expenseOf(line)),
      formats.percent(line.claimablePercent!),
      formats.number(line.claimable!),
      ...(hasTax(result) ? taxes : []),
    ],
  };
}

/** The claims of a month as they add up, and how they were rounded if that made a difference. */
function sumsOf(edition: Edition, ofMonth: ClaimReportMonthDto, items: readonly Item[]): Row[] {
  const { say, formats, report } = edition;
  const { month, net, claimable } = ofMonth;
  const name = formats.month(month);
  const taxes = taxCells(edition, ofMonth);
  const exact = items.reduce((sum, { line }) => sum + moneyOf(line.claimable!), 0n);
  const claim = formats.number(claimable);
  if (exact === moneyOf(claimable)) return [sumRow(say('report.totalOf', { what: name }), formats.number(net), claim, taxes)];
  const sum = formats.number(formatMoney(exact, minorDigitsOf(report.result.currency)));
  const noTaxes = taxes.map(() => '');
  return [
    sumRow(say('report.items.sum', { month: name }), formats.number(net), sum, noTaxes),
    sumRow(say('report.items.rounded', { month: name }), '', claim, taxes),
  ];
}

/** The columns of the rate and of the tax, in a sum. */
const taxCells = ({ formats }: Edition, { claimableTax }: AmountsDto): string[] =>
  claimableTax === undefined ? [] : ['', formats.number(claimableTax)];

const LABEL_COLUMNS = 5;
const sumRow = (label: string, net: string, claim: string, taxes: readonly string[]): Row => ({
  cells: [label, net, '', claim, ...taxes],
  span: LABEL_COLUMNS,
  is: 'sum',
});

/** `USD 12.00 × 0.9213`: how the amount of a line came to be in the currency of the report. */
const conversionOf = ({ amount, currency, conversion }: DetailLine, { number }: Formats): string | undefined =>
  conversion && `${currency}\u00a0${number(negated(amount))} × ${number(conversion.rate)}`;

function columnsOf(edition: Edition): Column[] {
  return [
    ...columnsNamed(edition, 'text', 'item', 'evidence', 'date', 'counterparty', 'details'),
    ...columnsNamed(edition, 'number', 'amount', 'share', 'claim'),
    ...(hasTax(edition.report.result) ? columnsNamed(edition, 'number', 'taxRate', 'tax') : []),
  ];
}
