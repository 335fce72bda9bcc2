import { moneyOf } from '../../../../kernel/money.js';
import type { ClaimReportCategoryDto } from '../../result.dto.js';
import { claimedMonthsOf, claimedOf, sumOf } from './category-sums.js';
import { drawBars } from './chart.js';
import { nameOfCategory } from '../wording/sentences.js';
import { drawHeading, type Edition } from './edition.js';
import { COLOURS } from './paper.js';
import { drawTable, type Row } from './table.js';

/** With more categories the summary would not fit on one page. */
const MOST_CATEGORIES = 10;

/** One page: what is claimed first, then how it comes about, then what is not claimed. */
export function drawSummary(edition: Edition): void {
  const { paper, words, formats, report, money } = edition;
  const { result, findings } = report;
  const { summary } = words;
  drawHeading(edition, words.sections.summary, 2);
  paper.write('P', summary.claimed, { size: 9, colour: COLOURS.quiet }, 0);
  paper.write('P', money(result.totals.claimable), { size: 22, bold: true, colour: COLOURS.accent }, 4);
  const { count } = claimedOf(result);
  const claiming = result.categories.filter((category) => category.count > 0);
  const sentence = summary.sentence(formats, money(result.totals.claimable), count, claiming.length);
  paper.write('P', count === 0 ? summary.nothing : sentence, { size: 9 }, 12);
  if (claiming.length > 0) drawCategories(edition, claiming);
  drawMonths(edition);
  drawDerivation(edition);
  drawNotClaimed(edition);
  paper.write('P', summary.coverage(formats.percent(result.evidence.coveragePercent)), { size: 8.5 }, 2);
  paper.write('P', summary.exceptions(formats, findings.length), { size: 8.5, bold: findings.length > 0 }, 0);
}

/** The categories with the largest claims; the others as one row. */
function drawCategories(edition: Edition, categories: readonly ClaimReportCategoryDto[]): void {
  const { paper, words, formats, report } = edition;
  const { currency, totals } = report.result;
  const bySize = [...categories].sort((a, b) => (moneyOf(b.claimable) > moneyOf(a.claimable) ? 1 : -1));
  const shown = categories.length <= MOST_CATEGORIES ? categories : bySize.slice(0, MOST_CATEGORIES - 1);
  const others = categories.filter((category) => !shown.includes(category));
  const rowOf = (name: string, count: number, claim: string): Row => ({ cells: [name, formats.number(count), formats.number(claim)] });
  const rows = shown.map((category) => rowOf(nameOfCategory(category), category.count, category.claimable));
  const count = (some: readonly ClaimReportCategoryDto[]) => some.reduce((sum, category) => sum + category.count, 0);
  if (others.length > 0) {
    const claims = others.map(({ claimable }) => claimable);
    rows.push(rowOf(words.summary.furtherCategories(formats, others.length), count(others), sumOf(claims, currency)));
  }
  rows.push({ ...rowOf(words.total, count(categories), totals.claimable), is: 'sum' });
  drawHeading(edition, words.summary.byCategory, 3);
  const { columns } = words;
  drawTable(
    paper,
    [
      { heading: columns.category, is: 'text' },
      { heading: columns.items, is: 'number' },
      { heading: columns.claim, is: 'number' },
    ],
    rows,
    12,
  );
}

/** Every month of the period has a bar, including months without items. */
function drawMonths(edition: Edition): void {
  const { words, formats, report } = edition;
  const { result, options } = report;
  if (!options.groupBy.includes('month')) return;
  const claims = new Map([
    ...result.evidence.months.map(({ month }): [string, string] => [month, '0']),
    ...claimedMonthsOf(result).map(({ month, claimable }): [string, string] => [month, claimable]),
  ]);
  if (claimedOf(result).count === 0) return;
  drawHeading(edition, words.summary.byMonth, 3);
  const bars = [...claims]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, value]) => ({ label: `${formats.shortMonth(Number(month.slice(5)))} ${month.slice(0, 4)}`, value: Number(value) }));
  drawBars(edition.paper, bars, { format: (value) => formats.number(String(value)), about: words.summary.chart });
  edition.paper.y += 10;
}

function drawDerivation(edition: Edition): void {
  const { words, formats, report } = edition;
  const { result } = report;
  const { gross, refunds, net, claimable, claimableTax, claimableNet } = claimedOf(result);
  const minus = (amount: string) => (moneyOf(amount) === 0n ? amount : amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
  const notClaimable = sumOf([net, minus(claimable)], result.currency);
  const { summary, columns } = words;
  const rows: [string, string, Row['is']][] = [
    [summary.expenses, gross, undefined],
    [summary.refunds, minus(refunds), undefined],
    [summary.net, net, 'sum'],
    [summary.notClaimable, minus(notClaimable), undefined],
    [summary.claimed, claimable, 'sum'],
  ];
  if (claimableTax !== undefined) rows.push([columns.tax, claimableTax, undefined], [columns.withoutTax, claimableNet!, undefined]);
  drawSmall(
    edition,
    summary.derivation,
    rows.map(([label, amount, is]) => ({ cells: [label, formats.number(amount)], is })),
  );
}

function drawNotClaimed(edition: Edition): void {
  const { words, formats, report } = edition;
  const { uncategorised, otherCurrencies } = report.result;
  const { summary, columns } = words;
  const rows: Row[] = [{ cells: [summary.uncategorised, formats.number(uncategorised.count), formats.number(uncategorised.net)] }];
  for (const { currency, count, net } of otherCurrencies)
    rows.push({
      cells: [summary.otherCurrency(currency), formats.number(count), [currency, formats.number(net)].filter(Boolean).join('\u00a0')],
    });
  drawHeading(edition, summary.notClaimed, 3);
  drawTable(
    edition.paper,
    [
      { heading: '', is: 'text' },
      { heading: columns.read, is: 'number' },
      { heading: columns.net, is: 'number' },
    ],
    rows,
    10,
  );
}

function drawSmall(edition: Edition, heading: string, rows: readonly Row[]): void {
  drawHeading(edition, heading, 3);
  const columns = [{ heading: '', is: 'text' } as const, { heading: edition.words.columns.amount, is: 'number' } as const];
  drawTable(edition.paper, columns, rows, 10);
}
