import { formatMoney, minorDigitsOf } from '../../../../kernel/money.js';
import { drawHeading, drawNote, editionOf, finish, type Edition } from '../pdf/edition.js';
import { drawFields, type Field } from '../pdf/fields.js';
import { COLOURS } from '../pdf/paper.js';
import { accountsOf, balancesOf, periodOf } from '../pdf/statements.js';
import { drawTable, type Column, type Row } from '../pdf/table.js';
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
  const titleOf = ({ evidence }: Edition['words']): string =>
    [evidence.title(part.statement.reference), part.parts > 1 ? evidence.part(part.part, part.parts) : ''].filter(Boolean).join(', ');
  const edition = editionOf(report, file, { titleOf, isLandscape: true });
  const { paper, words } = edition;
  const title = titleOf(words);
  await paper.open();
  drawHead(edition, title, part.statement);
  drawNote(edition, words.evidence.note);
  if (part.part === 1) drawCounts(edition, part.counts);
  drawHeading(edition, words.evidence.lines, 2);
  if (part.lines.length === 0) drawNote(edition, words.evidence.none);
  else
    drawTable(
      paper,
      columnsOf(edition),
      part.lines.map((line) => rowOf(edition, line)),
    );
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
  const { words, formats, report } = edition;
  const { fields, columns, evidence } = words;
  const { organization, project, clientReference, runId } = report.about;
  const { period } = report.result;
  const [opening, closing] = (['opening', 'closing'] as const).map((which) => balancesOf(edition, statement, which).join(' · ') || null);
  return [
    [fields.organization, organization],
    [fields.project, project],
    [fields.clientReference, clientReference],
    [columns.account, accountsOf(statement).join(' · ') || null],
    [columns.period, periodOf(edition, statement)],
    [columns.opening, opening!],
    [columns.closing, closing!],
    [columns.file, statement.fileName],
    [evidence.fileHash, statement.sha256],
    [evidence.statementId, statement.id],
    [evidence.reportPeriod, period && words.period(formats.day(period.start), formats.day(period.end))],
    [fields.run, runId],
  ];
}

/** How many lines there are of each outcome, so that none is missed. */
function drawCounts(edition: Edition, { counts, claim, shown }: StatementCounts): void {
  const { paper, words, formats, report } = edition;
  const { evidence, columns } = words;
  const all = OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
  const rows = OUTCOMES.filter((outcome) => outcome === 'claimed' || counts[outcome] > 0).map((outcome): Row => {
    const exact = outcome === 'claimed' ? formats.number(formatMoney(claim, minorDigitsOf(report.result.currency))) : '';
    return { cells: [evidence.outcomes[outcome], formats.number(counts[outcome]), exact] };
  });
  drawTable(
    paper,
    [
      { heading: columns.outcome, is: 'text' },
      { heading: columns.read, is: 'number' },
      { heading: columns.claim, is: 'number' },
    ],
    [...rows, { cells: [words.total, formats.number(all), ''], is: 'sum' }],
  );
  if (shown < all) drawNote(edition, evidence.notShown(formats, all - shown));
}

function columnsOf({ words: { columns } }: Edition): Column[] {
  return [
    { heading: columns.item, is: 'number' },
    { heading: columns.line, is: 'number' },
    { heading: columns.date, is: 'text' },
    { heading: columns.counterparty, is: 'text' },
    { heading: columns.details, is: 'text' },
    { heading: columns.amount, is: 'number' },
    { heading: columns.outcome, is: 'text' },
    { heading: columns.share, is: 'number' },
    { heading: columns.claim, is: 'number' },
  ];
}

function rowOf(edition: Edition, { line, outcome, item }: StatementLine): Row {
  const { words, formats, report } = edition;
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
      isClaimed ? line.category! : outcome === 'unclaimed' ? NOT_CLAIMED : words.evidence.short[outcome],
      isClaimed ? formats.percent(line.claimablePercent!) : '',
      isClaimed ? formats.number(line.claimable!) : '',
    ],
    isMarked: isClaimed,
  };
}

const NOT_CLAIMED = '\u2013';
