import type { AmountsDto, ClaimReportCategoryDto } from '../../result.dto.js';
import { claimedMonthsOf, claimedOf } from './category-sums.js';
import { hasTax } from '../contained-tax.js';
import { nameOfCategory } from '../wording/sentences.js';
import { drawHeading, drawNote, type Edition } from './edition.js';
import { drawTable, type Column, type Row } from './table.js';

/** The claim by category and month, as far as the report is grouped by them, with totals. */
export function drawCategories(edition: Edition): void {
  const { words, report } = edition;
  const { result, options } = report;
  const [byCategory, byMonth] = [options.groupBy.includes('category'), options.groupBy.includes('month')];
  drawHeading(edition, words.sections.categories, 2);
  const claiming = result.categories.filter(({ count }) => count > 0);
  if (byCategory) {
    if (byMonth) for (const category of claiming) drawCategory(edition, category);
    else
      drawRows(
        edition,
        words.columns.category,
        claiming.map((category) => rowOf(edition, nameOfCategory(category), category)),
      );
  }
  if (byMonth) {
    if (byCategory) drawHeading(edition, words.categories.all, 3);
    drawRows(
      edition,
      words.columns.month,
      claimedMonthsOf(result).map((month) => rowOf(edition, edition.formats.month(month.month), month)),
    );
  }
  if (!byCategory && !byMonth) drawRows(edition, '', []);
  const without = result.categories.filter(({ count }) => count === 0);
  if (without.length > 0) drawNote(edition, words.categories.withoutItems(without.map(nameOfCategory).join(', ')));
}

function drawCategory(edition: Edition, category: ClaimReportCategoryDto): void {
  drawHeading(edition, nameOfCategory(category), 3);
  const months = category.months.map((month) => rowOf(edition, edition.formats.month(month.month), month));
  const total: Row = { ...rowOf(edition, edition.words.totalOf(category.name), category), is: 'sum' };
  drawTable(edition.paper, columnsOf(edition, edition.words.columns.month), [...months, total]);
}

/** Rows that add up to the claim. */
function drawRows(edition: Edition, heading: string, rows: readonly Row[]): void {
  const { words, formats, report } = edition;
  const { uncategorised } = report.result;
  const total: Row = { ...rowOf(edition, words.total, claimedOf(report.result)), is: 'sum' };
  const all = [...rows, total];
  if (report.options.includeUncategorised)
    all.push({
      cells: [
        `${words.summary.notClaimed}: ${words.summary.uncategorised}`,
        formats.number(uncategorised.count),
        '',
        '',
        formats.number(uncategorised.net),
        '',
        ...(hasTax(report.result) ? ['', ''] : []),
      ],
    });
  drawTable(edition.paper, columnsOf(edition, heading), all);
}

function rowOf({ formats: { number } }: Edition, name: string, amounts: AmountsDto): Row {
  const { count, gross, refunds, net, claimable, claimableTax, claimableNet } = amounts;
  const taxes = claimableTax === undefined ? [] : [number(claimableTax), number(claimableNet!)];
  return { cells: [name, number(count), number(gross), number(refunds), number(net), number(claimable), ...taxes] };
}

function columnsOf({ words: { columns }, report }: Edition, heading: string): Column[] {
  const numbers = [columns.items, columns.expenses, columns.refunds, columns.net, columns.claim];
  if (hasTax(report.result)) numbers.push(columns.tax, columns.withoutTax);
  return [{ heading, is: 'text' }, ...numbers.map((name): Column => ({ heading: name, is: 'number' }))];
}
