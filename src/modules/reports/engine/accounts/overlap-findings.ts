import { getOrCreate } from '../amounts/currency-ledger.js';
import type { Finding } from '../checks/findings.js';
import type { DateRange } from '../calendar-days.js';
import type { RunLine, RunStatement } from '../inputs.js';
import type { AccountIdentities } from './identities.js';
import type { Pair } from './kept-bookings.js';
import { commonDays } from './overlaps.js';

/** How many lines a warning names. */
const MAX_NAMED = 5;

/** What was found of a statement and an earlier one that cover the same days of an account. */
interface ComparedStatements {
  readonly later: RunStatement;
  readonly earlier: RunStatement;
  readonly days: DateRange;
  readonly similar: readonly Pair[];
  readonly separate: readonly Pair[];
  /** How many lines of the later statement both should have, and how many of them the earlier one does not have. */
  readonly lines: number;
  readonly missing: number;
  /** How many lines of the earlier one both should have. */
  readonly earlierLines: number;
}

/** What people should know of statements that cover the same days of an account. */
export class OverlapFindings {
  private readonly overlaps: ComparedStatements[] = [];
  /** How many lines each statement has, by statement, account and day. */
  private readonly counts = new Map<string, Map<string, Map<string, number>>>();

  constructor(private readonly identities: AccountIdentities) {}

  /** The lines of a statement, and what they were compared with. */
  add(later: RunStatement, lines: readonly RunLine[], pairs: readonly Pair[], before: readonly RunStatement[]): void {
    this.count(later, lines);
    const paired = new Set(pairs.map((pair) => pair.later.line));
    for (const earlier of before) {
      const days = commonDays(later, earlier)!;
      const accounts = this.identities.ofStatement(earlier);
      const inBoth = lines.filter(
        (line) => isWithin(days, earlier, line.bookedOn) && accounts.has(this.identities.ofLine(line, later) ?? ''),
      );
      const ofEarlier = pairs.filter((pair) => pair.earlier.statement === earlier);
      this.overlaps.push({
        later,
        earlier,
        days,
        similar: ofEarlier.filter(({ is }) => is === 'similar'),
        separate: ofEarlier.filter(({ is }) => is === 'separate'),
        lines: inBoth.length,
        missing: inBoth.filter((line) => !paired.has(line)).length,
        earlierLines: this.linesIn(days, earlier, later),
      });
    }
  }

  *found(): Generator<Finding> {
    for (const overlap of this.overlaps) {
      const { similar, separate, missing, days, lines } = overlap;
      const [later, earlier] = [overlap.later.id, overlap.earlier.id];
      if (similar.length > 0 && !agrees(overlap)) yield { kind: 'possible_duplicate', later, earlier, ...placesOf(similar), once: true };
      if (separate.length > 0) yield { kind: 'possible_duplicate', later, earlier, ...placesOf(separate), once: false };
      if (missing > 0) yield { kind: 'overlap_differs', later, earlier, days, lines, missing };
    }
  }

  private count(statement: RunStatement, lines: readonly RunLine[]): void {
    const accounts = getOrCreate(this.counts, statement.id, () => new Map<string, Map<string, number>>());
    for (const line of lines) {
      const days = getOrCreate(accounts, this.identities.ofLine(line, statement) ?? '', () => new Map<string, number>());
      days.set(line.bookedOn, (days.get(line.bookedOn) ?? 0) + 1);
    }
  }

  private linesIn(days: DateRange, earlier: RunStatement, later: RunStatement): number {
    const accounts = this.identities.ofStatement(later);
    const ofEarlier = [...(this.counts.get(earlier.id) ?? [])].filter(([account]) => accounts.has(account));
    const inDays = ofEarlier.flatMap(([, counts]) => [...counts].filter(([day]) => isWithin(days, earlier, day)));
    return inDays.reduce((sum, [, count]) => sum + count, 0);
  }
}

/** The last day of the earlier statement may not have been over when it was made, so later bookings of that day are no difference. */
const isWithin = ({ start, end }: DateRange, earlier: RunStatement, day: string): boolean =>
  start <= day && day <= end && day !== earlier.periodEnd;

/** Both have the same days and amounts: they are the same bookings, whatever their texts. */
const agrees = ({ lines, missing, earlierLines }: ComparedStatements): boolean => lines > 0 && missing === 0 && lines === earlierLines;

function placesOf(pairs: readonly Pair[]) {
  const named = pairs.slice(0, MAX_NAMED);
  return {
    lines: named.map(({ later, earlier }) => ({ later: later.line.lineNumber, earlier: earlier.line.lineNumber })),
    more: pairs.length - named.length,
  };
}
