import { JobFailure } from '../../../../kernel/failure.js';
import { exactMoneyOf, minorDigitsOf, type Money, moneyOf, roundMoney, unitOf } from '../../../../kernel/money.js';
import type { BookingAccounts } from '../../../rules/index.js';
import { monthOf } from '../../engine/calendar-days.js';
import { type DetailLine, referencesOf, type Report } from '../report.js';
import { isClaimed, someLines } from '../tables.js';

/**
 * The claims of lines, rounded so that those of a category in a month add up to its claim, which is rounded once. Each claim is
 * rounded down first. The units that are then missing go to the claims with the largest remainders, of equal ones to the first.
 */
function* roundedClaims(lines: Iterable<DetailLine>, digits: number): Iterable<{ readonly line: DetailLine; readonly claim: Money }> {
  const months = new Map<string, CategoryMonthClaims>();
  for (const line of lines) {
    const key = keyOf(line);
    let month = months.get(key);
    if (!month) months.set(key, (month = new CategoryMonthClaims(digits)));
    month.add(exactMoneyOf(line.claimable!));
  }
  for (const month of months.values()) month.distribute();
  for (const line of lines) yield { line, claim: months.get(keyOf(line))!.rounded(exactMoneyOf(line.claimable!)) };
}

const keyOf = ({ categoryIndex, bookedOn }: DetailLine): string => `${categoryIndex} ${monthOf(bookedOn)}`;

class CategoryMonthClaims {
  private readonly unit: Money;
  private exact: Money = 0n;
  private roundedDown: Money = 0n;
  private remainders: Money[] = [];
  /** Claims with a larger remainder get a unit, and the first ones with an equal remainder. */
  private threshold: Money = 0n;
  private equalOnes = 0;

  constructor(private readonly digits: number) {
    this.unit = unitOf(digits);
  }

  add(claim: Money): void {
    const remainder = this.remainderOf(claim);
    this.exact += claim;
    this.roundedDown += claim - remainder;
    if (remainder > 0n) this.remainders.push(remainder);
  }

  distribute(): void {
    const units = Number((roundMoney(this.exact, this.digits) - this.roundedDown) / this.unit);
    const largest = this.remainders.sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)).slice(0, units);
    this.threshold = largest.at(-1) ?? this.unit;
    this.equalOnes = largest.filter((remainder) => remainder === this.threshold).length;
    this.remainders = [];
  }

  rounded(claim: Money): Money {
    const remainder = this.remainderOf(claim);
    const isEqual = remainder === this.threshold && this.equalOnes > 0;
    if (isEqual) this.equalOnes -= 1;
    return claim - remainder + (isEqual || remainder > this.threshold ? this.unit : 0n);
  }

  /** What rounding down takes away, also from a negative claim. */
  private remainderOf(claim: Money): Money {
    const rest = claim % this.unit;
    return rest < 0n ? rest + this.unit : rest;
  }
}

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
  const { result } = report;
  const references = referencesOf(report);
  const lines = someLines(report.lines, (line) => isClaimed(report, line));
  if (lines.length > maxBookings) throw tooMany(lines.length, maxBookings);
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

const tooMany = (count: number, most: number): JobFailure =>
  new JobFailure('too_many_bookings', `The report has ${count} claimed lines, at most ${most} can be booked in one file.`);

function accountsOf({ accounts }: Report, { category, categoryIndex }: DetailLine) {
  const { account, contraAccount, taxKey } = accounts[categoryIndex!]!;
  const required = (name: keyof BookingAccounts): never => {
    throw new JobFailure('missing_account', `Category ${category}: sourceMapping.${name} is missing. Bookings need it.`);
  };
  return { account: account ?? required('account'), contraAccount: contraAccount ?? required('contraAccount'), taxKey };
}

const textOf = ({ counterparty, description }: DetailLine): string =>
  counterparty === null ? description : `${counterparty}, ${description}`;
