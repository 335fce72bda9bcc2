import { formatMoney, minorDigitsOf, type Money, moneyOf } from '../../../../kernel/money.js';
import type { LeftOut } from '../../engine/line-accumulator.js';
import { columnsNamed, drawFields, drawHeading, drawNote, drawTable, editionOf, finish } from '../pdf/edition.js';
import type { Column, Edition, Field, Row } from '../pdf/edition.js';
import { COLOURS } from '../../../../../tools/tagged-pdf/index.js';
import { accountsOf, balancesOf, periodOf } from '../pdf/pdf-file.js';
import { type DetailLine, type DetailLines, type FileSink, isInTotals, type Report, type ReportStatement } from '../report.js';
import { isClaimed, isShown, ItemNumbers } from '../tables.js';

export const OUTCOMES = ['claimed', 'unclaimed', 'otherCurrency', 'repeated', 'outside'] as const;
type Outcome = (typeof OUTCOMES)[number];

interface StatementLine {
  readonly line: DetailLine;
  readonly outcome: Outcome;
  /** The number of the item in the report; null if the line is not claimed. */
  readonly item: number | null;
}

/** The lines of a statement by outcome, and what is claimed of them. */
export interface StatementCounts {
  readonly counts: Record<Outcome, number>;
  /** Not rounded. */
  claim: Money;
  /** The lines that the options let be shown. */
  shown: number;
}

/** The counts of each statement of a report, in its order. */
export function countsOf(report: Report): StatementCounts[] {
  const all = new Map(
    report.statements.map(({ id }): [string, StatementCounts] => [
      id,
      { counts: { claimed: 0, unclaimed: 0, otherCurrency: 0, repeated: 0, outside: 0 }, claim: 0n, shown: 0 },
    ]),
  );
  for (const { line, outcome } of everyLine(report)) {
    const found = all.get(line.statementId)!;
    found.counts[outcome] += 1;
    if (outcome === 'claimed') found.claim += moneyOf(line.claimable!);
    if (isShown(report, line)) found.shown += 1;
  }
  return [...all.values()];
}

/** The lines of all statements, one statement after another. No more of them are held than somebody takes at a time. */
export class StatementLines {
  private readonly lines: Generator<StatementLine, undefined>;
  private next: StatementLine | undefined;

  constructor(report: Report) {
    this.lines = shownLines(report);
    this.next = this.lines.next().value;
  }

  /** The next lines of a statement that are shown. To be called for one statement after another, in the order of the report. */
  take(statementId: string, most: number): StatementLine[] {
    const taken: StatementLine[] = [];
    while (taken.length < most && this.next?.line.statementId === statementId) {
      taken.push(this.next);
      this.next = this.lines.next().value;
    }
    return taken;
  }
}

function* shownLines(report: Report): Generator<StatementLine, undefined> {
  const numbers = new ItemNumbers(report);
  for (const { line, outcome } of everyLine(report))
    if (isShown(report, line)) yield { line, outcome, item: outcome === 'claimed' ? numbers.take(line) : null };
  return undefined;
}

interface Stream {
  readonly lines: Generator<DetailLine, undefined>;
  readonly outcomeOf: (line: DetailLine) => Outcome;
  next: DetailLine | undefined;
}

/** Every line that the run has read, in the order of the statements and of their files. */
function* everyLine(report: Report): Iterable<{ readonly line: DetailLine; readonly outcome: Outcome }> {
  const places = new Map(report.statements.map(({ id }, index) => [id, index]));
  const outcomeOf = (line: DetailLine): Outcome =>
    isClaimed(report, line) ? 'claimed' : isInTotals(line, report.result.currency) ? 'unclaimed' : 'otherCurrency';
  const left = (why: LeftOut): Stream => streamOf(report.leftOut[why], () => why);
  const streams = [streamOf(report.lines, outcomeOf), left('repeated'), left('outside')];
  const isBefore = (a: DetailLine, b: DetailLine): boolean =>
    a.statementId === b.statementId ? a.lineNumber < b.lineNumber : places.get(a.statementId)! < places.get(b.statementId)!;
  for (;;) {
    let first: Stream | undefined;
    for (const stream of streams) if (stream.next && (!first || isBefore(stream.next, first.next!))) first = stream;
    if (!first) return;
    const line = first.next!;
    yield { line, outcome: first.outcomeOf(line) };
    first.next = first.lines.next().value;
  }
}

function streamOf(lines: DetailLines, outcomeOf: Stream['outcomeOf']): Stream {
  const values = valuesOf(lines);
  return { lines: values, outcomeOf, next: values.next().value };
}

/** For callers that read line by line: its end is typed. */
function* valuesOf(lines: DetailLines): Generator<DetailLine, undefined> {
  yield* lines;
  return undefined;
}

/** A document of a statement. A long statement has several, since a document may only have so many lines. */
interface StatementPart {
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
