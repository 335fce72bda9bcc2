import { getOrCreate } from '../amounts/currency-ledger.js';
import type { RunLine, RunStatement } from '../inputs.js';
import type { AccountIdentities } from './identities.js';
import { candidateOf, pairsOf, type Candidate, type Pair } from './kept-bookings.js';
import { OverlapFindings } from './overlap-findings.js';
import type { Overlaps } from './overlaps.js';

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
