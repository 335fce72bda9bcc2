import { JobFailure } from '../../../../kernel/failure.js';
import { minorDigitsOf, moneyOf, type Money } from '../../../../kernel/money.js';
import type { BookingAccounts } from '../../../rules/index.js';
import type { DetailLine } from '../detail-line.js';
import type { Report } from '../report.js';
import { claimedLines } from '../tables.js';
import { roundedClaims } from './rounded-claims.js';

/** The claim of a line as a booking. A negative amount reverses the two accounts. */
export interface Booking {
  readonly bookedOn: string;
  readonly amount: Money;
  readonly account: string;
  readonly contraAccount: string;
  readonly taxKey: string | null;
  readonly text: string;
  /** Statement and line, such as `S1/12`. */
  readonly reference: string;
  readonly category: string;
}

/** The bookings of a report. They add up to its claim. Lines whose rounded claim is zero have none. */
export function* bookingsOf(report: Report, maxBookings: number): Iterable<Booking> {
  const { result, statements } = report;
  const references = new Map(statements.map(({ id, reference }) => [id, reference]));
  const lines = { [Symbol.iterator]: () => claimedLines(report)[Symbol.iterator]() };
  requireFew(lines, maxBookings);
  let total: Money = 0n;
  for (const { line, claim } of roundedClaims(lines, minorDigitsOf(result.currency))) {
    if (claim === 0n) continue;
    total += claim;
    const { bookedOn, statementId, lineNumber, category } = line;
    yield {
      bookedOn,
      amount: claim,
      ...accountsOf(report, line),
      text: textOf(line),
      reference: `${references.get(statementId)!}/${lineNumber}`,
      category: category!,
    };
  }
  if (total !== moneyOf(result.totals.claimable)) throw new Error('The bookings do not add up to the claim.');
}

function requireFew(lines: Iterable<DetailLine>, maxBookings: number): void {
  let count = 0;
  for (const _line of lines) count += 1;
  if (count > maxBookings)
    throw new JobFailure('too_many_bookings', `The report has ${count} claimed lines, at most ${maxBookings} can be booked in one file.`);
}

function accountsOf({ accounts }: Report, { category, categoryIndex }: DetailLine) {
  const { account, contraAccount, taxKey } = accounts[categoryIndex!]!;
  const required = (name: keyof BookingAccounts): never => {
    throw new JobFailure('missing_account', `Category ${category}: sourceMapping.${name} is missing. Bookings need it.`);
  };
  return { account: account ?? required('account'), contraAccount: contraAccount ?? required('contraAccount'), taxKey };
}

const textOf = ({ counterparty, description }: DetailLine): string =>
  counterparty === null ? description : `${counterparty}, ${description}`;
