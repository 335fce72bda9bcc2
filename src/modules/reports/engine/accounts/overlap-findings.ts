import { getOrCreate } from '../amounts/currency-ledger.js';
import { type DateRange, overlap } from '../calendar-days.js';
import { periodOf } from '../checks/evidence.js';
import type { Finding } from '../checks/findings.js';
import type { RunLine, RunStatement } from '../inputs.js';
import { AccountIdentities } from './identities.js';
import { type Candidate, candidateOf, type Pair, pairsOf } from './kept-bookings.js';

/** Which statements of a run cover days of the same account. The lines of all others need not be compared. */
class Overlaps {
  private readonly earlier = new Map<string, readonly RunStatement[]>();
  private readonly compared = new Set<string>();

  constructor(statements: readonly RunStatement[], identities: AccountIdentities) {
    const byAccount = new Map<string, RunStatement[]>();
    for (const statement of statements) {
      const accounts = [...identities.ofStatement(statement)].map((account) => getOrCreate(byAccount, account, () => []));
      const others = new Set(accounts.flatMap((before) => before.filter((other) => commonDays(statement, other) !== null)));
      this.earlier.set(statement.id, [...others]);
      if (others.size > 0) for (const { id } of [statement, ...others]) this.compared.add(id);
      for (const before of accounts) before.push(statement);
    }
  }

  /** The statements before this one that cover days of the same account. */
  before({ id }: RunStatement): readonly RunStatement[] {
    return this.earlier.get(id) ?? [];
  }

  /** Whether an earlier or a later statement covers days of the same account. */
  concern({ id }: RunStatement): boolean {
    return this.compared.has(id);
  }
}

function commonDays(one: RunStatement, other: RunStatement): DateRange | null {
  const [first, second] = [periodOf(one), periodOf(other)];
  const days = first && second && overlap(first, second);
  return days && days.start <= days.end ? days : null;
}

const MAX_NAMED = 5;

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

export class OverlapFindings {
  private readonly overlaps: ComparedStatements[] = [];
  /** How many lines each statement has, by statement, account and day. */
  private readonly counts = new Map<string, Map<string, Map<string, number>>>();

  constructor(private readonly identities: AccountIdentities) {}

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

/**
 * Finds bookings that an earlier statement of the same account has as well, though another format writes them in another way: the same
 * account, day, amount and currency. Equal bookings of one statement are different ones, so each line stands for one line at most.
 */
export class RepeatedBookings {
  readonly findings: OverlapFindings;
  /** The bookings so far, by account, day, amount and currency. */
  private readonly bookings = new Map<string, Candidate[]>();

  constructor(
    private readonly identities: AccountIdentities,
    private readonly overlaps: Overlaps,
  ) {
    this.findings = new OverlapFindings(identities);
  }

  /** The lines of a whole statement that repeat earlier ones. To be called statement by statement, in the order of the run's inputs. */
  in(statement: RunStatement, lines: readonly RunLine[]): ReadonlySet<RunLine> {
    const byBooking = new Map<string, Candidate[]>();
    for (const line of lines) {
      const booking = this.bookingOf(line, statement);
      if (booking !== null) getOrCreate(byBooking, booking, () => []).push(candidateOf(statement, line));
    }
    const pairs = [...byBooking].flatMap(([booking, candidates]) => this.compare(booking, candidates));
    this.findings.add(statement, lines, pairs, this.overlaps.before(statement));
    return new Set(pairs.filter(({ is }) => is !== 'separate').map(({ later }) => later.line));
  }

  private compare(booking: string, candidates: readonly Candidate[]): Pair[] {
    const earlier = getOrCreate(this.bookings, booking, () => []);
    const pairs = pairsOf(candidates, earlier);
    const repeated = new Set(pairs.filter(({ is }) => is !== 'separate').map(({ later }) => later));
    for (const candidate of candidates) if (!repeated.has(candidate)) earlier.push(candidate);
    return pairs;
  }

  private bookingOf(line: RunLine, statement: RunStatement): string | null {
    const account = this.identities.ofLine(line, statement);
    return account && JSON.stringify([account, line.bookedOn, plainAmount(line.amount), line.currency]);
  }
}

/** Without unnecessary zeros: `-5.10` is `-5.1`. */
const plainAmount = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

/** Some lines, and those of them that repeat a booking of an earlier statement. */
interface ComparedLines {
  readonly lines: readonly RunLine[];
  readonly repeated: ReadonlySet<RunLine>;
}

const NONE: ReadonlySet<RunLine> = new Set();
const LINES_PER_BATCH = 500;

/** Compares statements that cover the same days of an account. */
export class StatementComparison {
  readonly identities: AccountIdentities;
  private readonly statements: ReadonlyMap<string, RunStatement>;
  private readonly overlaps: Overlaps;
  private readonly bookings: RepeatedBookings;
  /** All lines so far of a statement that has to be compared: the best pairs are known at its end. */
  private held: RunLine[] = [];

  constructor(statements: readonly RunStatement[]) {
    this.statements = new Map(statements.map((statement) => [statement.id, statement]));
    this.identities = new AccountIdentities(statements);
    this.overlaps = new Overlaps(statements, this.identities);
    this.bookings = new RepeatedBookings(this.identities, this.overlaps);
  }

  async *compare(batches: AsyncIterable<readonly RunLine[]>): AsyncGenerator<ComparedLines> {
    for await (const batch of batches) {
      for (const written of byStatement(batch)) {
        const lines = this.withCurrencies(written);
        if (this.held.length > 0 && this.held[0]!.statementId !== lines[0]!.statementId) yield* this.release();
        if (this.overlaps.concern(this.statementOf(lines[0]!))) for (const line of lines) this.held.push(line);
        else yield { lines, repeated: NONE };
      }
    }
    yield* this.release();
  }

  findings(): Iterable<Finding> {
    return this.bookings.findings.found();
  }

  private withCurrencies(lines: readonly RunLine[]): readonly RunLine[] {
    if (lines.every(({ currency }) => currency !== null)) return lines;
    const statement = this.statementOf(lines[0]!);
    return lines.map((line) => ({ ...line, currency: this.identities.currencyOf(line, statement) }));
  }

  private *release(): Generator<ComparedLines> {
    const lines = this.held;
    if (lines.length === 0) return;
    this.held = [];
    const repeated = this.bookings.in(this.statementOf(lines[0]!), lines);
    for (let from = 0; from < lines.length; from += LINES_PER_BATCH) yield { lines: lines.slice(from, from + LINES_PER_BATCH), repeated };
  }

  private statementOf({ statementId }: RunLine): RunStatement {
    const statement = this.statements.get(statementId);
    if (!statement) throw new Error('A line belongs to a statement that is not among the inputs.');
    return statement;
  }
}

function* byStatement(batch: readonly RunLine[]): Generator<readonly RunLine[]> {
  let from = 0;
  while (from < batch.length) {
    const { statementId } = batch[from]!;
    const next = batch.findIndex((line, index) => index > from && line.statementId !== statementId);
    const end = next < 0 ? batch.length : next;
    yield batch.slice(from, end);
    from = end;
  }
}
