import type { Formats } from '../../../../api/wording/formats.js';
import { getOrCreate } from '../../../../kernel/get-or-create.js';
import { formatMoney, minorDigitsOf, moneyOf } from '../../../../kernel/money.js';
import { sumOf } from '../../engine/amounts/currency-ledger.js';
import { monthOf } from '../../engine/inputs.js';
import type { AmountsDto, ClaimReportCategoryDto, ClaimReportMonthDto } from '../../result.dto.js';
import { claimedMonthsOf, claimedOf, containedTax, type DetailLine, expenseOf, hasTax, negated, placeOf, referencesOf } from '../report.js';
import { claimedLines, ItemNumbers } from '../tables.js';
import { nameOfCategory, orNone } from '../wording/sentences.js';
import { type Column, columnsNamed, drawHeading, drawNote, drawTable, type Edition, type Row } from './edition.js';
import { COLOURS } from '../../../../../tools/tagged-pdf/index.js';

const HEIGHT = 90;
const AXIS_WIDTH = 56;
const LABEL_WIDTH = 60;
const LABEL_HEIGHT = 16;
const MAX_LABELS = 9;
const QUIET = { size: 6.5, colour: COLOURS.quiet };

/** Draws bars above a baseline, or below it for negative values, with grid lines at round values. */
function drawBars({ paper, say, formats }: Edition, bars: readonly { readonly label: string; readonly value: number }[]): void {
  paper.needRoom(HEIGHT + LABEL_HEIGHT);
  const top = paper.y;
  const values = bars.map(({ value }) => value);
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values));
  const [lowest, highest] = [ticks[0]!, ticks.at(-1)!];
  const heightOf = (value: number) => top + (HEIGHT * (highest - value)) / (highest - lowest);
  const draw = () => {
    for (const tick of ticks) {
      paper.drawRule(heightOf(tick), tick === 0 ? COLOURS.quiet : COLOURS.line);
      paper.draw(formats.number(String(tick)), heightOf(tick) + 2, QUIET);
    }
    const step = (paper.width - AXIS_WIDTH) / bars.length;
    const middleOf = (index: number) => paper.left + AXIS_WIDTH + (index + 0.5) * step;
    const width = Math.min(step * 0.64, 40);
    bars.forEach(({ value }, index) => {
      const [from, to] = [heightOf(Math.max(value, 0)), heightOf(Math.min(value, 0))];
      const bar = paper.document.rect(middleOf(index) - width / 2, from, width, to - from);
      bar.fill(value < 0 ? COLOURS.negative : COLOURS.accent);
    });
    const every = Math.ceil(bars.length / MAX_LABELS);
    bars.forEach(({ label }, index) => {
      const x = middleOf(index) - LABEL_WIDTH / 2;
      if (index % every === 0) paper.draw(label, top + HEIGHT + 5, { ...QUIET, x, width: LABEL_WIDTH, align: 'center' });
    });
  };
  const bbox: [number, number, number, number] = [paper.left, top, paper.left + paper.width, top + HEIGHT + LABEL_HEIGHT];
  // For readers who cannot see it.
  paper.inside('Figure', () => paper.mark(draw), { alt: say('report.summary.chart'), bbox });
  paper.y = top + HEIGHT + LABEL_HEIGHT;
}

/** Round values that enclose both: about four steps of 1, 2 or 5 times a power of ten. */
export function ticksOf(lowest: number, highest: number): number[] {
  const rough = (highest - lowest) / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((times) => times * power >= rough)!;
  const [first, last] = [Math.floor(lowest / step), Math.max(1, Math.ceil(highest / step))];
  return Array.from({ length: last - first + 1 }, (_value, index) => (first + index) * step);
}

/** With more categories the summary would not fit on one page. */
const MOST_CATEGORIES = 10;

/** One page: what is claimed first, then how it comes about, then what is not claimed. */
export function drawSummary(edition: Edition): void {
  const { paper, say, formats, report, money } = edition;
  const { result, findings } = report;
  drawHeading(edition, say('report.sections.summary'), 2);
  paper.write('P', say('report.summary.claimed'), { size: 9, colour: COLOURS.quiet }, 0);
  paper.write('P', money(result.totals.claimable), { size: 22, bold: true, colour: COLOURS.accent }, 4);
  const { count } = claimedOf(result);
  const claiming = result.categories.filter((category) => category.count > 0);
  const sentence = say('report.summary.sentence', { amount: money(result.totals.claimable), items: count, categories: claiming.length });
  paper.write('P', count === 0 ? say('report.summary.nothing') : sentence, { size: 9 }, 12);
  if (claiming.length > 0) drawCategories(edition, claiming);
  drawMonths(edition);
  drawDerivation(edition);
  drawNotClaimed(edition);
  paper.write('P', say('report.summary.coverage', { percent: formats.percent(result.evidence.coveragePercent) }), { size: 8.5 }, 2);
  paper.write('P', say('report.summary.exceptions', { count: findings.length }), { size: 8.5, bold: findings.length > 0 }, 0);
}

/** The categories with the largest claims; the others as one row. */
function drawCategories(edition: Edition, categories: readonly ClaimReportCategoryDto[]): void {
  const { paper, say, formats, report } = edition;
  const { currency, totals } = report.result;
  const bySize = [...categories].sort((a, b) => (moneyOf(b.claimable) > moneyOf(a.claimable) ? 1 : -1));
  const shown = categories.length <= MOST_CATEGORIES ? categories : bySize.slice(0, MOST_CATEGORIES - 1);
  const others = categories.filter((category) => !shown.includes(category));
  const rowOf = (name: string, count: number, claim: string): Row => ({ cells: [name, formats.number(count), formats.number(claim)] });
  const rows = shown.map((category) => rowOf(nameOfCategory(category), category.count, category.claimable));
  const count = (some: readonly ClaimReportCategoryDto[]) => some.reduce((sum, category) => sum + category.count, 0);
  if (others.length > 0) {
    const claims = others.map(({ claimable }) => claimable);
    rows.push(rowOf(say('report.summary.furtherCategories', { count: others.length }), count(others), sumOf(claims, currency)));
  }
  rows.push({ ...rowOf(say('report.total'), count(categories), totals.claimable), is: 'sum' });
  drawHeading(edition, say('report.summary.byCategory'), 3);
  drawTable(paper, [...columnsNamed(edition, 'text', 'category'), ...columnsNamed(edition, 'number', 'items', 'claim')], rows, 12);
}

/** Every month of the period has a bar, including months without items. */
function drawMonths(edition: Edition): void {
  const { say, formats, report } = edition;
  const { result, options } = report;
  if (!options.groupBy.includes('month')) return;
  const claims = new Map([
    ...result.evidence.months.map(({ month }): [string, string] => [month, '0']),
    ...claimedMonthsOf(result).map(({ month, claimable }): [string, string] => [month, claimable]),
  ]);
  if (claimedOf(result).count === 0) return;
  drawHeading(edition, say('report.summary.byMonth'), 3);
  const bars = [...claims]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, value]) => ({ label: `${formats.shortMonth(Number(month.slice(5)))} ${month.slice(0, 4)}`, value: Number(value) }));
  drawBars(edition, bars);
  edition.paper.y += 10;
}

function drawDerivation(edition: Edition): void {
  const { say, formats, report } = edition;
  const { result } = report;
  const { gross, refunds, net, claimable, claimableTax, claimableNet } = claimedOf(result);
  const notClaimable = sumOf([net, negated(claimable)], result.currency);
  const rows: [string, string, Row['is']][] = [
    [say('report.summary.expenses'), gross, undefined],
    [say('report.summary.refunds'), negated(refunds), undefined],
    [say('report.summary.net'), net, 'sum'],
    [say('report.summary.notClaimable'), negated(notClaimable), undefined],
    [say('report.summary.claimed'), claimable, 'sum'],
  ];
  if (claimableTax !== undefined)
    rows.push([say('report.columns.tax'), claimableTax, undefined], [say('report.columns.withoutTax'), claimableNet!, undefined]);
  drawHeading(edition, say('report.summary.derivation'), 3);
  const columns: Column[] = [{ heading: '', is: 'text' }, ...columnsNamed(edition, 'number', 'amount')];
  const written = rows.map(([label, amount, is]): Row => ({ cells: [label, formats.number(amount)], is }));
  drawTable(edition.paper, columns, written, 10);
}

function drawNotClaimed(edition: Edition): void {
  const { say, formats, report } = edition;
  const { uncategorised, otherCurrencies } = report.result;
  const rowOf = (name: string, count: number, net: string): Row => ({ cells: [name, formats.number(count), net] });
  const rows = [
    rowOf(say('report.summary.uncategorised'), uncategorised.count, formats.number(uncategorised.net)),
    ...otherCurrencies.map(({ currency, count, net }) => {
      const amount = [currency, formats.number(net)].filter(Boolean).join('\u00a0');
      return rowOf(say('report.summary.otherCurrency', { currency: orNone(currency) }), count, amount);
    }),
  ];
  drawHeading(edition, say('report.summary.notClaimed'), 3);
  drawTable(edition.paper, [{ heading: '', is: 'text' }, ...columnsNamed(edition, 'number', 'read', 'net')], rows, 10);
}

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
