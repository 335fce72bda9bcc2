import type { RunBalance } from '../../engine/inputs.js';
import type { AmountsDto, ClaimReportCategoryDto, ClaimReportConversionsDto } from '../../result.dto.js';
import type { ClaimReportEvidenceMonthDto, ClaimReportFormDto, ClaimReportMonthDto } from '../../result.dto.js';
import { noteOf, valueOf } from '../tables.js';
import { claimedMonthsOf, claimedOf, type FileSink, hasTax, type Report, type ReportStatement } from '../report.js';
import { isOfBalance, leadingFindings, nameOfCategory, nameOfControl, sentenceOf } from '../wording/sentences.js';
import { columnsNamed, drawFields, drawHeading, drawNote, drawTable, editionOf, finish } from './edition.js';
import type { Column, Edition, Field, Row } from './edition.js';
import { COLOURS, type Texts } from '../../../../../tools/tagged-pdf/index.js';
import { drawItems, drawSummary } from './summary.js';

const NOT_STATED = '\u2013';

function drawStatements(edition: Edition): void {
  const { paper, say, report } = edition;
  drawHeading(edition, say('report.sections.statements'), 2);
  if (report.statements.length === 0) return drawNote(edition, say('report.statements.none'));
  drawNote(edition, say('report.statements.note'));
  const heads: Column[] = [
    ...columnsNamed(edition, 'text', 'reference', 'file', 'account', 'period'),
    ...columnsNamed(edition, 'number', 'opening', 'closing', 'read', 'used', 'repeated'),
  ];
  const rows = report.statements.flatMap((statement): Row[] => [
    statementRow(edition, statement),
    { cells: [statementNote(edition, statement)], span: heads.length, is: 'note' },
  ]);
  drawTable(paper, heads, rows);
}

/** What receipts are called in the items, and their files. */
function drawReceipts(edition: Edition): void {
  const { paper, say, report } = edition;
  const { receipts } = report.result;
  if (!receipts) return;
  drawHeading(edition, say('report.sections.receipts'), 2);
  const rows = receipts.map(({ reference, fileName, sha256 }): Row => ({ cells: [reference, fileName, sha256] }));
  drawTable(paper, [...columnsNamed(edition, 'text', 'reference', 'file'), { heading: 'SHA-256', is: 'text' }], rows);
}

function statementRow(edition: Edition, statement: ReportStatement): Row {
  const { formats } = edition;
  const listed = (texts: readonly string[]): Texts => (texts.length === 0 ? NOT_STATED : texts);
  return {
    cells: [
      statement.reference,
      statement.fileName ?? NOT_STATED,
      listed(accountsOf(statement)),
      periodOf(edition, statement) ?? NOT_STATED,
      listed(balancesOf(edition, statement, 'opening')),
      listed(balancesOf(edition, statement, 'closing')),
      formats.number(statement.linesRead),
      formats.number(statement.linesUsed),
      formats.number(statement.duplicates),
    ],
  };
}

function statementNote({ say }: Edition, { certainty, sha256 }: ReportStatement): string {
  const hash = `SHA-256 ${sha256}`;
  return certainty === null ? hash : `${say('report.columns.certainty')}: ${say(`report.statements.certainty.${certainty}`)} · ${hash}`;
}

export function accountsOf({ balances, accountLabel }: ReportStatement): string[] {
  const accounts = [...new Set(balances.map(({ account }) => labelOf(account, accountLabel)))];
  return accounts.length > 0 || accountLabel === null ? accounts : [accountLabel];
}

/** The period of a statement; null if it states none. */
export const periodOf = ({ say, formats }: Edition, { periodStart, periodEnd }: ReportStatement): string | null =>
  periodStart === null || periodEnd === null
    ? null
    : say('report.period', { start: formats.day(periodStart), end: formats.day(periodEnd) });

export function balancesOf({ formats }: Edition, { balances }: ReportStatement, which: 'opening' | 'closing'): string[] {
  return balances.map(({ currency, [which]: amount }: RunBalance) =>
    amount === null ? NOT_STATED : [currency, formats.number(amount)].filter(Boolean).join('\u00a0'),
  );
}

/** Tokens of own accounts end with the last characters of the account, such as `ACCOUNT-7Q2M4XKD9ABC (3000)`. */
function labelOf(account: string | null, label: string | null): string {
  const [, last] = /\(([^()]+)\)$/.exec(account ?? '') ?? [];
  return last === undefined ? (account ?? label ?? NOT_STATED) : `•••• ${last}`;
}

/** The claim as its form has it, on a page of its own. */
function drawForm(edition: Edition, form: ClaimReportFormDto): void {
  const { paper, say, formats, money } = edition;
  drawHeading(edition, form.name, 2);
  drawNote(edition, `${form.edition}. ${form.source}.`);
  const heads = [...columnsNamed(edition, 'text', 'reference', 'details', 'note'), ...columnsNamed(edition, 'number', 'amount')];
  for (const { title, lines } of form.sections) {
    drawHeading(edition, title, 3);
    const rows = lines.map((line): Row => ({
      cells: [
        line.number ?? '',
        line.label,
        valueOf(edition, line) || noteOf(edition, line),
        line.amount === null ? '' : formats.number(line.amount),
      ],
    }));
    drawTable(paper, heads, rows, 8);
  }
  drawNote(edition, say('report.form.total', { amount: money(form.total) }));
  if (/[1-9]/.test(form.notOnForm)) drawNote(edition, say('report.form.notOnForm', { amount: money(form.notOnForm) }));
}

const MARKS = { covered: '\u2713', partial: '\u25d0', missing: '\u2717', outside: '\u00b7' };
const MONTHS = Array.from({ length: 12 }, (_value, index) => index + 1);

/** Which months the statements cover: first by year at a glance, then each month with its statements. */
function drawCalendar(edition: Edition): void {
  const { say, formats, report } = edition;
  const { evidence } = report.result;
  drawHeading(edition, say('report.sections.calendar'), 2);
  const coverage = say('report.summary.coverage', { percent: formats.percent(evidence.coveragePercent) });
  drawNote(edition, `${coverage} ${say('report.calendar.note')}`);
  if (evidence.months.length === 0) return;
  drawYears(edition, evidence.months);
  const kinds = ['covered', 'partial', 'missing', 'outside'] as const;
  drawNote(edition, kinds.map((kind) => `${MARKS[kind]}\u00a0${say(`report.calendar.status.${kind}`)}`).join('    '));
  const heads = columnsNamed(edition, 'text', 'month', 'coverage', 'statements');
  const positions = new Map(report.statements.map(({ id }, index) => [id, index + 1]));
  const rows = evidence.months.map((month): Row => ({
    cells: [
      formats.month(month.month),
      say(`report.calendar.status.${month.status}`),
      rangesOf(month.statementIds.map((id) => positions.get(id)!)) || '\u2013',
    ],
  }));
  drawTable(edition.paper, heads, rows);
}

function drawYears({ paper, say, formats }: Edition, months: readonly ClaimReportEvidenceMonthDto[]): void {
  const byMonth = new Map(months.map(({ month, status }) => [month, status]));
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const names = [say('report.columns.year'), ...MONTHS.map((month) => formats.shortMonth(month))];
  const heads = names.map((heading): Column => ({ heading, is: 'mark' }));
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

function drawExceptions(edition: Edition): void {
  const { paper, say, report } = edition;
  drawHeading(edition, say('report.sections.exceptions'), 2);
  if (report.findings.length === 0) return drawNote(edition, say('report.exceptions.none'));
  drawNote(edition, say('report.exceptions.note'));
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

function drawSignOff(edition: Edition): void {
  const { paper, say } = edition;
  paper.needRoom(4 * ROW_HEIGHT + 70);
  drawHeading(edition, say('report.sections.signOff'), 2);
  drawNote(edition, say('report.signOff.note'));
  const width = (paper.width - GAP) / 2;
  const top = paper.y;
  (['prepared', 'reviewed'] as const).forEach((who, index) => {
    const box = { x: paper.left + index * (width + GAP), width };
    paper.inside('P', () => paper.mark(() => paper.draw(say(`report.signOff.${who}`), top, { ...box, size: 9.5, bold: true })));
    (['name', 'signature', 'date'] as const).forEach((what, row) => {
      const bottom = top + 18 + (row + 1) * ROW_HEIGHT;
      paper.decorate(() => paper.drawRule(bottom - 12, COLOURS.quiet, 0.5, box));
      paper.inside('P', () =>
        paper.mark(() => paper.draw(say(`report.signOff.${what}`), bottom - 9, { ...box, size: 7, colour: COLOURS.quiet })),
      );
    });
  });
  paper.y = top + 18 + 3 * ROW_HEIGHT;
}

/** The report that an accountant hands to a client, in the language of its locale. */
export async function writePdf(report: Report, file: FileSink): Promise<void> {
  const edition = editionOf(report, file);
  const { paper, say } = edition;
  await paper.open();
  drawCover(edition);
  paper.nextPage();
  drawSummary(edition);
  paper.nextPage();
  if (report.result.form) {
    drawForm(edition, report.result.form);
    paper.nextPage();
  }
  drawCategories(edition);
  drawItems(edition);
  drawStatements(edition);
  drawReceipts(edition);
  drawCalendar(edition);
  drawExceptions(edition);
  drawMethod(edition);
  drawSignOff(edition);
  await finish(edition, say('report.title'));
}

function drawCover(edition: Edition): void {
  const { paper, say, report } = edition;
  const { about } = report;
  paper.y += 60;
  paper.write('H1', say('report.title'), { size: 26, bold: true, colour: COLOURS.accent }, 8);
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

function fieldsOf({ say, formats, report: { about, result } }: Edition): Field[] {
  const day = about.startedAt.slice(0, 10);
  const dates =
    result.period && say('report.period', { start: formats.longDay(result.period.start), end: formats.longDay(result.period.end) });
  return [
    [say('report.fields.organization'), about.organization],
    [say('report.fields.project'), about.project],
    [say('report.fields.clientReference'), about.clientReference],
    [say('report.fields.configuration'), about.configuration],
    [say('report.fields.period'), dates],
    [say('report.fields.currency'), result.currency],
    [say('report.fields.date'), `${formats.longDay(day)}, ${formats.time(about.startedAt)} UTC`],
    [say('report.fields.run'), about.runId],
    [say('report.fields.hash'), result.inputsHash],
    [say('report.fields.engine'), result.engineVersion],
  ];
}

/** The claim by category and month, as far as the report is grouped by them, with totals. */
function drawCategories(edition: Edition): void {
  const { say, report } = edition;
  const { result, options } = report;
  const [byCategory, byMonth] = [options.groupBy.includes('category'), options.groupBy.includes('month')];
  drawHeading(edition, say('report.sections.categories'), 2);
  const claiming = result.categories.filter(({ count }) => count > 0);
  if (byCategory && byMonth) {
    for (const category of claiming) drawCategory(edition, category);
    drawHeading(edition, say('report.categories.all'), 3);
  }
  const rows = byMonth ? monthRows(edition, claimedMonthsOf(result)) : claiming.map((one) => rowOf(edition, nameOfCategory(one), one));
  if (byMonth) drawRows(edition, say('report.columns.month'), rows);
  else if (byCategory) drawRows(edition, say('report.columns.category'), rows);
  else drawRows(edition, '', []);
  const without = result.categories.filter(({ count }) => count === 0);
  if (without.length > 0) drawNote(edition, say('report.categories.withoutItems', { names: without.map(nameOfCategory).join(', ') }));
}

function drawCategory(edition: Edition, category: ClaimReportCategoryDto): void {
  drawHeading(edition, nameOfCategory(category), 3);
  const months = monthRows(edition, category.months);
  const total: Row = { ...rowOf(edition, edition.say('report.totalOf', { what: category.name }), category), is: 'sum' };
  drawTable(edition.paper, columnsOf(edition, edition.say('report.columns.month')), [...months, total]);
}

const monthRows = (edition: Edition, months: readonly ClaimReportMonthDto[]): Row[] =>
  months.map((month) => rowOf(edition, edition.formats.month(month.month), month));

function drawRows(edition: Edition, heading: string, rows: readonly Row[]): void {
  const { say, formats, report } = edition;
  const { uncategorised } = report.result;
  const total: Row = { ...rowOf(edition, say('report.total'), claimedOf(report.result)), is: 'sum' };
  const all = [...rows, total];
  if (report.options.includeUncategorised)
    all.push({
      cells: [
        `${say('report.summary.notClaimed')}: ${say('report.summary.uncategorised')}`,
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

function columnsOf(edition: Edition, heading: string): Column[] {
  const taxes = hasTax(edition.report.result) ? (['tax', 'withoutTax'] as const) : [];
  return [{ heading, is: 'text' }, ...columnsNamed(edition, 'number', 'items', 'expenses', 'refunds', 'net', 'claim', ...taxes)];
}

function drawMethod(edition: Edition): void {
  const { paper, say, formats, nameOf, report } = edition;
  drawHeading(edition, say('report.sections.method'), 2);
  const { conversions } = report.result;
  for (const paragraph of paragraphsOf(edition)) paper.write('P', paragraph, { size: 8.5 }, 5);
  paper.y += 6;
  if (conversions) drawRates(edition, conversions);
  drawHeading(edition, say('report.method.controls'), 3);
  drawNote(edition, say('report.method.controlsNote'));
  const ofBalances = report.result.controls.filter(({ name }) => isOfBalance(name));
  const shown = report.result.controls.filter((control) => !ofBalances.includes(control) || !control.ok);
  const heads = [...columnsNamed(edition, 'text', 'control'), ...columnsNamed(edition, 'number', 'expected', 'actual', 'agrees')];
  const rows = shown.map(({ name, expected, actual, ok }): Row => ({
    cells: [nameOfControl(edition, nameOf, name), formats.number(expected), formats.number(actual), say(ok ? 'report.yes' : 'report.no')],
  }));
  drawTable(paper, heads, rows, 8);
  const agreeing = ofBalances.filter(({ ok }) => ok).length;
  if (ofBalances.length > 0) drawNote(edition, say('report.method.balances', { agreeing, all: ofBalances.length }));
}

/** In the order of the document. Those about taxes and conversion are in it if the report has any. */
function paragraphsOf({ say, report: { result } }: Edition): string[] {
  const { conversions } = result;
  return [
    ...(['rules', 'rounding', 'refunds', 'repeated'] as const).map((name) => say(`report.method.paragraphs.${name}`)),
    ...(hasTax(result) ? [say('report.method.paragraphs.tax')] : []),
    conversions ? say('report.method.paragraphs.converted', { source: conversions.source }) : say('report.method.paragraphs.notConverted'),
    ...(['tokens', 'inputs'] as const).map((name) => say(`report.method.paragraphs.${name}`)),
  ];
}

function drawRates(edition: Edition, { source, currencies, rates, ratesNotListed }: ClaimReportConversionsDto): void {
  const { paper, say, formats, report } = edition;
  drawHeading(edition, say('report.method.rates'), 3);
  drawNote(edition, source);
  const converted: Column = { heading: `${say('report.columns.converted')}, ${report.result.currency}`, is: 'number' };
  const sumHeads = [...columnsNamed(edition, 'text', 'currency'), ...columnsNamed(edition, 'number', 'read', 'net'), converted];
  const sums = currencies.map((one) => ({
    cells: [one.currency, ...[one.count, one.net, one.converted].map((figure) => formats.number(figure))],
  }));
  drawTable(paper, sumHeads, sums, 8);
  const rateHeads = [...columnsNamed(edition, 'text', 'currency', 'rateFor'), ...columnsNamed(edition, 'number', 'rate', 'read')];
  const used = rates.map(({ currency, rateFor, rate, count }) => ({
    cells: [currency, rateForOf(edition, rateFor), formats.number(rate), formats.number(count)],
  }));
  drawTable(paper, rateHeads, used, 8);
  if (ratesNotListed > 0) drawNote(edition, say('report.method.ratesNotListed', { count: ratesNotListed }));
}

/** A month, a day, or a period. */
function rateForOf({ say, formats }: Edition, rateFor: string): string {
  const [start, end] = rateFor.split('/') as [string, string | undefined];
  if (end !== undefined) return say('report.period', { start: formats.day(start), end: formats.day(end) });
  return start.length === 7 ? formats.month(start) : formats.day(start);
}
