import type {
  AmountsDto,
  ClaimReportCategoryDto,
  ClaimReportControlDto,
  ClaimReportConversionsDto,
  ClaimReportEvidenceMonthDto,
} from '../../result.dto.js';
import { type FileSink, hasTax, type Report } from '../report.js';
import { isOfBalance, leadingFindings, nameOfCategory, nameOfControl, sentenceOf } from '../wording/sentences.js';
import { claimedMonthsOf, claimedOf } from './category-sums.js';
import { drawHeading, drawNote, type Edition, editionOf, finish } from './edition.js';
import { drawFields, type Field } from './fields.js';
import { drawItems } from './items.js';
import { COLOURS } from './paper.js';
import { drawStatements } from './statements.js';
import { drawSummary } from './summary.js';
import { type Column, drawTable, type Row } from './table.js';

const MARKS = { covered: '\u2713', partial: '\u25d0', missing: '\u2717', outside: '\u00b7' };
const MONTHS = Array.from({ length: 12 }, (_value, index) => index + 1);

/** Which months the statements cover: first by year at a glance, then each month with its statements. */
export function drawCalendar(edition: Edition): void {
  const { words, formats, report } = edition;
  const { evidence } = report.result;
  const { status, note } = words.calendar;
  drawHeading(edition, words.sections.calendar, 2);
  drawNote(edition, `${words.summary.coverage(formats.percent(evidence.coveragePercent))} ${note}`);
  if (evidence.months.length === 0) return;
  drawYears(edition, evidence.months);
  const kinds = ['covered', 'partial', 'missing', 'outside'] as const;
  drawNote(edition, kinds.map((kind) => `${MARKS[kind]}\u00a0${status[kind]}`).join('    '));
  const { columns } = words;
  const heads: Column[] = [columns.month, columns.coverage, columns.statements].map((heading) => ({ heading, is: 'text' }));
  const positions = new Map(report.statements.map(({ id }, index) => [id, index + 1]));
  const rows = evidence.months.map((month): Row => ({
    cells: [formats.month(month.month), status[month.status], rangesOf(month.statementIds.map((id) => positions.get(id)!)) || '\u2013'],
  }));
  drawTable(edition.paper, heads, rows);
}

function drawYears({ paper, words, formats }: Edition, months: readonly ClaimReportEvidenceMonthDto[]): void {
  const byMonth = new Map(months.map(({ month, status }) => [month, status]));
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const heads = [words.columns.year, ...MONTHS.map((month) => formats.shortMonth(month))].map((heading): Column => ({
    heading,
    is: 'mark',
  }));
  const rows = years.map((year): Row => ({
    cells: [year, ...MONTHS.map((month) => MARKS[byMonth.get(`${year}-${String(month).padStart(2, '0')}`) ?? 'outside'])],
  }));
  drawTable(paper, heads, rows, 6);
}

/** `S1–S3, S7`: the statements of a long period are many. */
export function rangesOf(positions: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const position of [...positions].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && position === last[1] + 1) last[1] = position;
    else ranges.push([position, position]);
  }
  return ranges
    .map(([first, last]) => (first === last ? `S${first}` : `S${first}${last === first + 1 ? ', ' : '\u2013'}S${last}`))
    .join(', ');
}

/** What must be checked, in sentences. */
export function drawExceptions(edition: Edition): void {
  const { paper, words, report } = edition;
  drawHeading(edition, words.sections.exceptions, 2);
  if (report.findings.length === 0) return drawNote(edition, words.exceptions.none);
  drawNote(edition, words.exceptions.note);
  paper.inside('L', () => {
    report.findings.forEach((finding, index) => drawFinding(edition, `${index + 1}.`, sentenceOf(edition, edition.nameOf, finding)));
  });
  paper.y += 8;
}

const INDENT = 20;

function drawFinding({ paper }: Edition, label: string, sentence: string): void {
  const style = { x: paper.left + INDENT, width: paper.width - INDENT, size: 8.5 };
  paper.needRoom(paper.keptHeight(sentence, style));
  paper.inside('LI', () => {
    paper.inside('Lbl', () => paper.mark(() => paper.draw(label, paper.y, { size: 8.5, width: INDENT })));
    paper.write('LBody', sentence, style, 4);
  });
}

const ROW_HEIGHT = 34;
const GAP = 24;

/** Room for the names, signatures and dates of who prepared and who reviewed the report. */
export function drawSignOff(edition: Edition): void {
  const { paper, words } = edition;
  const { note, prepared, reviewed, name, signature, date } = words.signOff;
  paper.needRoom(4 * ROW_HEIGHT + 70);
  drawHeading(edition, words.sections.signOff, 2);
  drawNote(edition, note);
  const width = (paper.width - GAP) / 2;
  const top = paper.y;
  [prepared, reviewed].forEach((heading, index) => {
    const box = { x: paper.left + index * (width + GAP), width };
    paper.inside('P', () => paper.mark(() => paper.draw(heading, top, { ...box, size: 9.5, bold: true })));
    [name, signature, date].forEach((label, row) => {
      const bottom = top + 18 + (row + 1) * ROW_HEIGHT;
      paper.decorate(() => paper.drawRule(bottom - 12, COLOURS.quiet, 0.5, box));
      paper.inside('P', () => paper.mark(() => paper.draw(label, bottom - 9, { ...box, size: 7, colour: COLOURS.quiet })));
    });
  });
  paper.y = top + 18 + 3 * ROW_HEIGHT;
}

/** The report that an accountant hands to a client, in the language of its locale. */
export async function writePdf(report: Report, file: FileSink): Promise<void> {
  const edition = editionOf(report, file);
  const { paper, words } = edition;
  await paper.open();
  drawCover(edition);
  paper.nextPage();
  drawSummary(edition);
  paper.nextPage();
  drawCategories(edition);
  drawItems(edition);
  drawStatements(edition);
  drawCalendar(edition);
  drawExceptions(edition);
  drawMethod(edition);
  drawSignOff(edition);
  await finish(edition, words.title);
}

/** Who claims, for whom and when, and of which run this is. */
export function drawCover(edition: Edition): void {
  const { paper, words, report } = edition;
  const { about } = report;
  paper.y += 60;
  paper.write('H1', words.title, { size: 26, bold: true, colour: COLOURS.accent }, 8);
  const subject = about.configuration ?? about.project;
  if (subject !== null) paper.write('P', subject, { size: 14 }, 18);
  paper.rule(paper.y, COLOURS.accent, 1.5);
  paper.y += 20;
  drawEmptyClaim(edition);
  drawFields(edition, fieldsOf(edition));
}

/** Readers must not take a claim of zero for a result. */
function drawEmptyClaim(edition: Edition): void {
  const { paper, report, nameOf } = edition;
  const leading = leadingFindings(report);
  for (const finding of leading)
    paper.write('P', sentenceOf(edition, nameOf, finding), { size: 11, bold: true, colour: COLOURS.accent }, 6);
  if (leading.length > 0) paper.y += 14;
}

function fieldsOf({ words: { fields, period }, formats, report: { about, result } }: Edition): Field[] {
  const day = about.startedAt.slice(0, 10);
  const dates = result.period && period(formats.longDay(result.period.start), formats.longDay(result.period.end));
  return [
    [fields.organization, about.organization],
    [fields.project, about.project],
    [fields.clientReference, about.clientReference],
    [fields.configuration, about.configuration],
    [fields.period, dates],
    [fields.currency, result.currency],
    [fields.date, `${formats.longDay(day)}, ${formats.time(about.startedAt)} UTC`],
    [fields.run, about.runId],
    [fields.hash, result.inputsHash],
    [fields.engine, result.engineVersion],
  ];
}

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

/** How the figures come about, and the sums that prove them. */
export function drawMethod(edition: Edition): void {
  const { paper, words, formats, report } = edition;
  const { paragraphs, controls, controlsNote, balances } = words.method;
  drawHeading(edition, words.sections.method, 2);
  const { ofLines, tax, notConverted, converted, ofData } = paragraphs;
  const { conversions } = report.result;
  for (const paragraph of [
    ...ofLines,
    ...(hasTax(report.result) ? [tax] : []),
    conversions ? converted(conversions.source) : notConverted,
    ...ofData,
  ])
    paper.write('P', paragraph, { size: 8.5 }, 5);
  paper.y += 6;
  if (conversions) drawRates(edition, conversions);
  drawHeading(edition, controls, 3);
  drawNote(edition, controlsNote);
  const ofBalances = report.result.controls.filter(({ name }) => isOfBalance(name));
  const shown = report.result.controls.filter((control) => !ofBalances.includes(control) || !control.ok);
  const { columns } = words;
  const heads: Column[] = [
    { heading: columns.control, is: 'text' },
    { heading: columns.expected, is: 'number' },
    { heading: columns.actual, is: 'number' },
    { heading: columns.agrees, is: 'number' },
  ];
  drawTable(
    paper,
    heads,
    shown.map((control) => methodRow(edition, control)),
    8,
  );
  if (ofBalances.length > 0) drawNote(edition, balances(formats, ofBalances.filter(({ ok }) => ok).length, ofBalances.length));
}

/** What was converted, and the rates. */
function drawRates(edition: Edition, { source, currencies, rates, ratesNotListed }: ClaimReportConversionsDto): void {
  const { paper, words, formats, report } = edition;
  const { columns, method } = words;
  const text = (heading: string): Column => ({ heading, is: 'text' });
  const number = (heading: string): Column => ({ heading, is: 'number' });
  drawHeading(edition, method.rates, 3);
  drawNote(edition, source);
  drawTable(
    paper,
    [text(columns.currency), number(columns.read), number(columns.net), number(`${columns.converted}, ${report.result.currency}`)],
    currencies.map(({ currency, count, net, converted }) => ({
      cells: [currency, formats.number(count), formats.number(net), formats.number(converted)],
    })),
    8,
  );
  drawTable(
    paper,
    [text(columns.currency), text(columns.rateFor), number(columns.rate), number(columns.read)],
    rates.map(({ currency, rateFor, rate, count }) => ({
      cells: [currency, rateFor.length === 7 ? formats.month(rateFor) : formats.day(rateFor), formats.number(rate), formats.number(count)],
    })),
    8,
  );
  if (ratesNotListed > 0) drawNote(edition, method.ratesNotListed(formats, ratesNotListed));
}

function methodRow(edition: Edition, { name, expected, actual, ok }: ClaimReportControlDto): Row {
  const { words, formats, nameOf } = edition;
  return { cells: [nameOfControl(edition, nameOf, name), formats.number(expected), formats.number(actual), ok ? words.yes : words.no] };
}
