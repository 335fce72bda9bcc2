import { moneyOf, type Money } from '../../../../kernel/money.js';
import type { LeftOut } from '../../engine/line-accumulator.js';
import { type DetailLine, type DetailLines, isInTotals, type Report } from '../report.js';
import { isClaimed, isShown, ItemNumbers } from '../tables.js';

export const OUTCOMES = ['claimed', 'unclaimed', 'otherCurrency', 'repeated', 'outside'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface StatementLine {
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
