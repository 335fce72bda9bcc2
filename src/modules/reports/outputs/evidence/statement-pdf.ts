import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import { columnsNamed, drawFields, drawHeading, drawNote, drawTable, editionOf, finish } from '../pdf/edition.js';
import type { Column, Edition, Field, Row } from '../pdf/edition.js';
import { COLOURS } from '../pdf/paper.js';
import { accountsOf, balancesOf, periodOf } from '../pdf/statements.js';
import type { FileSink, Report, ReportStatement } from '../report.js';
import { OUTCOMES, type StatementCounts, type StatementLine } from './statement-lines.js';

/** A document of a statement. A long statement has several, since a document may only have so many lines. */
export interface StatementPart {
  readonly statement: ReportStatement;
  readonly counts: StatementCounts;
  readonly lines: readonly StatementLine[];
  /** From 1. */
  readonly part: number;
  readonly parts: number;
}

/** The redacted lines of a statement, with those marked that are claimed. Lines that are not in the figures say why. */
export async function writeStatementPdf(report: Report, part: StatementPart, file: FileSink): Promise<void> {
  const titleOf = (say: Edition['say']): string => {
    const ofStatement = say('report.evidence.title', { reference: part.statement.reference });
    return part.parts > 1 ? `${ofStatement}, ${say('report.evidence.part', { part: part.part, count: part.parts })}` : ofStatement;
  };
  const edition = editionOf(report, file, { titleOf, isLandscape: true });
  const { paper, say } = edition;
  const title = titleOf(say);
  await paper.open();
  drawHead(edition, title, part.statement);
  drawNote(edition, say('report.evidence.note'));
  if (part.part === 1) drawCounts(edition, part.counts);
  drawHeading(edition, say('report.evidence.lines'), 2);
  const rows = part.lines.map((line) => rowOf(edition, line));
  if (rows.length === 0) drawNote(edition, say('report.evidence.none'));
  else drawTable(paper, columnsOf(edition), rows);
  await finish(edition, title);
}

function drawHead(edition: Edition, title: string, statement: ReportStatement): void {
  const { paper, report } = edition;
  paper.write('H1', title, { size: 20, bold: true, colour: COLOURS.accent }, 4);
  const subject = report.about.configuration ?? report.about.project;
  if (subject !== null) paper.write('P', subject, { size: 11 }, 8);
  paper.rule(paper.y, COLOURS.accent, 1.5);
  paper.y += 12;
  drawFields(edition, fieldsOf(edition, statement));
  paper.y += 4;
}

function fieldsOf(edition: Edition, statement: ReportStatement): Field[] {
  const { say, formats, report } = edition;
  const { organization, project, clientReference, runId } = report.about;
  const { period } = report.result;
  const dates = period && say('report.period', { start: formats.day(period.start), end: formats.day(period.end) });
  const [opening, closing] = (['opening', 'closing'] as const).map((which) => balancesOf(edition, statement, which).join(' · ') || null);
  return [
    [say('report.fields.organization'), organization],
    [say('report.fields.project'), project],
    [say('report.fields.clientReference'), clientReference],
    [say('report.columns.account'), accountsOf(statement).join(' · ') || null],
    [say('report.columns.period'), periodOf(edition, statement)],
    [say('report.columns.opening'), opening!],
    [say('report.columns.closing'), closing!],
    [say('report.columns.file'), statement.fileName],
    [say('report.evidence.fileHash'), statement.sha256],
    [say('report.evidence.statementId'), statement.id],
    [say('report.evidence.reportPeriod'), dates],
    [say('report.fields.run'), runId],
  ];
}

function drawCounts(edition: Edition, { counts, claim, shown }: StatementCounts): void {
  const { paper, say, formats, report } = edition;
  const all = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
  const rows = OUTCOMES.filter((outcome) => outcome === 'claimed' || counts[outcome] > 0).map((outcome): Row => {
    const exact = outcome === 'claimed' ? formats.number(formatMoney(claim, minorDigitsOf(report.result.currency))) : '';
    return { cells: [say(`report.evidence.outcomes.${outcome}`), formats.number(counts[outcome]), exact] };
  });
  const heads = [...columnsNamed(edition, 'text', 'outcome'), ...columnsNamed(edition, 'number', 'read', 'claim')];
  drawTable(paper, heads, [...rows, { cells: [say('report.total'), formats.number(all), ''], is: 'sum' }]);
  if (shown < all) drawNote(edition, say('report.evidence.notShown', { count: all - shown }));
}

function columnsOf(edition: Edition): Column[] {
  return [
    ...columnsNamed(edition, 'number', 'item', 'line'),
    ...columnsNamed(edition, 'text', 'date', 'counterparty', 'details'),
    ...columnsNamed(edition, 'number', 'amount'),
    ...columnsNamed(edition, 'text', 'outcome'),
    ...columnsNamed(edition, 'number', 'share', 'claim'),
  ];
}

function rowOf(edition: Edition, { line, outcome, item }: StatementLine): Row {
  const { say, formats, report } = edition;
  const isClaimed = outcome === 'claimed';
  const amount = formats.number(line.amount);
  return {
    cells: [
      item === null ? '' : String(item),
      String(line.lineNumber),
      formats.day(line.bookedOn),
      line.counterparty ?? '',
      [line.description, line.reference].filter(Boolean).join(' · '),
      line.currency === report.result.currency || line.currency === null ? amount : `${line.currency}\u00a0${amount}`,
      isClaimed ? line.category! : outcome === 'unclaimed' ? NOT_CLAIMED : say(`report.evidence.short.${outcome}`),
      isClaimed ? formats.percent(line.claimablePercent!) : '',
      isClaimed ? formats.number(line.claimable!) : '',
    ],
    isMarked: isClaimed,
  };
}

const NOT_CLAIMED = '\u2013';
