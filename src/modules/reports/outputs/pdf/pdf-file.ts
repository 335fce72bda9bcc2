import type { Computed } from '../../result.dto.js';
import type { Report } from '../report.js';
import { categoriesTable, controlsTable, monthsTable, otherCurrenciesTable, warningsTable, type Cell } from '../tables.js';
import { drawBars } from './chart.js';
import { COLOURS, Paper } from './paper.js';
import { drawTable, type PrintedTable } from './table.js';
import { wordingOf, type Wording } from './wording.js';

/** The report for people: sums only, never single lines. */
export function pdfFile(report: Report): Promise<Buffer> {
  const { result, options } = report;
  const wording = wordingOf(options.locale);
  const paper = new Paper(titleOf(report));
  drawHead(paper, report, wording);
  drawFigures(paper, result, wording);
  if (options.groupBy.includes('month')) drawMonths(paper, result, wording);
  if (options.groupBy.includes('category'))
    drawSection(paper, 'Categories', { ...categoriesTable(report), total: totalOf(report) }, wording);
  drawSection(paper, 'Other currencies', otherCurrenciesTable(result), wording);
  drawEvidence(paper, result, wording);
  drawSection(paper, 'Controls', controlsTable(result), wording);
  drawSection(paper, 'Warnings', warningsTable(result), wording);
  return paper.finish(`Engine ${result.engineVersion} · Inputs ${result.inputsHash}`, report.maxFileBytes);
}

const titleOf = ({ about }: Report): string => about.configuration ?? 'Claim report';

function drawHead(paper: Paper, report: Report, wording: Wording): void {
  const { about, result } = report;
  const { period, currency } = result;
  const facts = [period && `${wording.day(period.start)} – ${wording.day(period.end)}`, currency && `Amounts in ${currency}`];
  paper.write(titleOf(report), { size: 20, bold: true }, 4);
  if (about.project !== null) paper.write(about.project, { size: 10, colour: COLOURS.quiet }, 4);
  paper.write(facts.filter(Boolean).join(' · '), { size: 9, colour: COLOURS.quiet }, 14);
  paper.rule(paper.y, COLOURS.accent, 1.5);
  paper.y += 16;
}

function drawFigures(paper: Paper, { totals }: Computed, wording: Wording): void {
  const figures: [string, string][] = [
    ['Claimable', totals.claimable],
    ['Net', totals.net],
    ['Gross', totals.gross],
    ['Refunds', totals.refunds],
    ['Uncategorised', totals.uncategorised],
    ['Lines', String(totals.count)],
  ];
  const width = paper.width / figures.length;
  figures.forEach(([name, value], index) => {
    const box = { x: paper.left + index * width, width: width - 6 };
    paper.draw(name, paper.y, { ...box, size: 7, colour: COLOURS.quiet });
    paper.draw(wording.number(value), paper.y + 12, { ...box, size: 10, bold: true, colour: index === 0 ? COLOURS.accent : COLOURS.ink });
  });
  paper.y += 44;
}

/** Every month of the period has a bar, including months without lines. */
function drawMonths(paper: Paper, result: Computed, wording: Wording): void {
  const claimable = new Map([
    ...result.evidence.months.map(({ month }): [string, string] => [month, '0']),
    ...result.months.map(({ month, claimable }): [string, string] => [month, claimable]),
  ]);
  if (claimable.size === 0) return;
  drawHeading(paper, 'Claimable by month');
  const bars = [...claimable]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, value]) => ({ label: wording.month(month), value: Number(value) }));
  drawBars(paper, bars, (value) => wording.number(String(value)));
  paper.y += 18;
  const { count, gross, refunds, net, claimable: claimed } = result.totals;
  drawSection(paper, 'Months', { ...monthsTable(result), total: ['Total', String(count), gross, refunds, net, claimed] }, wording);
}

function drawEvidence(paper: Paper, { evidence }: Computed, wording: Wording): void {
  const monthsThat = (status: string) =>
    evidence.months
      .filter((month) => month.status === status)
      .map(({ month }) => wording.month(month))
      .join(', ');
  const [partial, missing] = [monthsThat('partial'), monthsThat('missing')];
  drawHeading(paper, 'Evidence');
  paper.write(
    [
      `Statements cover ${wording.number(evidence.coveragePercent)} % of the days of the period.`,
      partial && `Covered in part: ${partial}.`,
      missing && `Not covered: ${missing}.`,
    ]
      .filter(Boolean)
      .join(' '),
    {},
    18,
  );
}

/** The total of the rows; none if the uncategorised row is left out. That row has no gross and refunds, so neither has the total. */
function totalOf({ result: { totals }, options }: Report): readonly Cell[] | undefined {
  return options.includeUncategorised ? ['Total', null, String(totals.count), null, null, totals.net, totals.claimable] : undefined;
}

function drawHeading(paper: Paper, heading: string): void {
  paper.needRoom(80);
  paper.write(heading, { size: 11, bold: true }, 6);
}

function drawSection(paper: Paper, heading: string, table: PrintedTable, wording: Wording): void {
  if ([...table.rows].length === 0) return;
  drawHeading(paper, heading);
  drawTable(paper, table, wording);
  paper.y += 18;
}
