import { exactMoneyOf, roundMoney, unitOf, type Money } from '../../../../kernel/money.js';
import { monthOf } from '../../engine/calendar-days.js';
import type { DetailLine } from '../detail-line.js';

/** A line and its claim in whole units of the currency. */
export interface RoundedClaim {
  readonly line: DetailLine;
  readonly claim: Money;
}

/**
 * The claims of lines, rounded so that those of a category in a month add up to its claim, which is rounded once. Each claim is
 * rounded down first. The units that are then missing go to the claims with the largest remainders, of equal ones to the first.
 */
export function* roundedClaims(lines: Iterable<DetailLine>, digits: number): Iterable<RoundedClaim> {
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
