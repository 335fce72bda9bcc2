import type { WarningDto } from '../../result.dto.js';
import { getOrCreate } from '../amounts/currency-ledger.js';
import type { DateRange } from '../calendar-days.js';
import type { RunLine, RunStatement } from '../inputs.js';
import type { AccountIdentities } from './identities.js';
import type { Pair } from './kept-bookings.js';
import { commonDays } from './overlaps.js';

/** How many lines a warning names. */
const MAX_NAMED = 5;

/** What was found of a statement and an earlier one that cover the same days of an account. */
interface Finding {
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
  private readonly findings: Finding[] = [];
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
      this.findings.push({
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

  *warnings(): Generator<WarningDto> {
    for (const finding of this.findings) {
      const { similar, separate, missing } = finding;
      if (similar.length > 0 && !agrees(finding))
        yield { code: 'possible_duplicate', message: `${linesWithOtherTexts(finding, similar)} They are counted once.` };
      if (separate.length > 0)
        yield { code: 'possible_duplicate', message: `${linesWithOtherTexts(finding, separate)} They are counted as different bookings.` };
      if (missing > 0) yield { code: 'overlap_differs', message: difference(finding) };
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
const agrees = ({ lines, missing, earlierLines }: Finding): boolean => lines > 0 && missing === 0 && lines === earlierLines;

function linesWithOtherTexts({ later, earlier }: Finding, pairs: readonly Pair[]): string {
  const named = pairs.slice(0, MAX_NAMED).map((pair) => `${pair.later.line.lineNumber} and ${pair.earlier.line.lineNumber}`);
  const more = pairs.length > MAX_NAMED ? `, and ${pairs.length - MAX_NAMED} more` : '';
  return `Lines of the statements ${later.id} and ${earlier.id} have the same account, day and amount, but other texts: ${named.join(', ')}${more}.`;
}

function difference({ later, earlier, days, lines, missing }: Finding): string {
  return (
    `The statements ${later.id} and ${earlier.id} both cover ${days.start} to ${days.end} of an account, but ${missing} of ${lines} ` +
    'lines of the first are not in the second. They are counted. Check that they are not the same bookings with other dates.'
  );
}
