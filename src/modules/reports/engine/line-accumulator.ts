import { getOrCreate } from '../../../kernel/get-or-create.js';
import { formatMoney, minorDigitsOf, type Money, moneyOf, roundFraction } from '../../../kernel/money.js';
import { claimableOf, CurrencyLedger, Sums } from './amounts/currency-ledger.js';
import { periodOf } from './checks/evidence.js';
import { rangeOver } from './inputs.js';
import type { DateRange, OutputOptions, RunBalance, RunDecision, RunInputs, RunLine, RunStatement } from './inputs.js';
import { type Conversions, conversionsOf, type LineConversion, type Rate } from './rates/conversions.js';
import { comparableLine } from './rules/conditions.js';
import { type ClaimResult, type Decisions, isStated, type Item, type Matcher } from './rules/matcher.js';
import { Receipts, withStatedTax } from './rules/receipts.js';

/**
 * Finds lines that an earlier statement already has. Equal lines within one statement are different bookings, such as two coffees
 * on the same day: the second one is a duplicate only if an earlier statement has two as well.
 */
class DuplicateDetector {
  /** The most lines with a fingerprint that any earlier statement has. */
  private readonly earlier = new Counts();
  private current = new Map<string, number>();
  private statementId: string | null = null;

  /**
   * Which of the equal lines of its statement a line is: 1 for the first. To be called line by line, statement by statement, in the
   * order of the run's inputs.
   */
  occurrenceOf({ statementId, fingerprint }: RunLine): number {
    if (statementId !== this.statementId) this.startStatement(statementId);
    const nth = (this.current.get(fingerprint) ?? 0) + 1;
    this.current.set(fingerprint, nth);
    return nth;
  }

  isDuplicate({ fingerprint }: RunLine, occurrence: number): boolean {
    return occurrence <= this.earlier.get(fingerprint);
  }

  private startStatement(statementId: string): void {
    for (const [fingerprint, count] of this.current) {
      if (count > this.earlier.get(fingerprint)) this.earlier.set(fingerprint, count);
    }
    this.current = new Map();
    this.statementId = statementId;
  }
}

/**
 * Counts of millions of fingerprints, in many maps. A single one would grow by more at once than a thread may take beyond its
 * memory limit, and Node ends the whole process then.
 */
class Counts {
  private readonly maps = new Map<string, Map<string, number>>();

  get(fingerprint: string): number {
    return this.maps.get(keyOf(fingerprint))?.get(fingerprint) ?? 0;
  }

  set(fingerprint: string, count: number): void {
    const key = keyOf(fingerprint);
    const map = this.maps.get(key);
    if (map) map.set(fingerprint, count);
    else this.maps.set(key, new Map([[fingerprint, count]]));
  }
}

/** Fingerprints are hex digits of a hash, so their first two make 256 maps of about the same size. */
const keyOf = (fingerprint: string): string => fingerprint.slice(0, 2);

/** What the lines of a statement lack for the change in its balances; zero if they tie. */
interface BalanceDifference {
  readonly money: Money;
  readonly currency: string | null;
  readonly isOneOfSeveral: boolean;
}

class StatementTally {
  linesRead = 0;
  duplicates = 0;
  private readonly sums = new Map<string | null, Money>();

  constructor(readonly statement: RunStatement) {}

  add({ currency }: RunLine, amount: Money): void {
    this.linesRead += 1;
    this.sums.set(currency, (this.sums.get(currency) ?? 0n) + amount);
  }

  /**
   * The difference between the sum of the lines and the change from the opening to the closing balances, for each currency of which
   * the statement gives all balances. With several currencies, lines without a currency belong to none of them.
   */
  balanceDifferences(): BalanceDifference[] {
    const { balances } = this.statement;
    const named = [...new Set([...balances.map(({ currency }) => currency), ...this.sums.keys()])].filter((currency) => currency !== null);
    if (named.length <= 1) return differenceOf(balances, this.sumOf([...this.sums.keys()]), named[0] ?? null, false);
    if (this.sums.has(null)) return [];
    return named.sort().flatMap((currency) => {
      const own = balances.filter((balance) => balance.currency === currency);
      return differenceOf(own, this.sumOf([currency]), currency, true);
    });
  }

  private sumOf(currencies: readonly (string | null)[]): Money {
    return currencies.reduce((sum, currency) => sum + (this.sums.get(currency) ?? 0n), 0n);
  }
}

function differenceOf(balances: readonly RunBalance[], sum: Money, currency: string | null, isOneOfSeveral: boolean): BalanceDifference[] {
  if (balances.length === 0) return [];
  let money = sum;
  for (const { opening, closing } of balances) {
    if (opening === null || closing === null) return [];
    money += moneyOf(opening) - moneyOf(closing);
  }
  return [{ money, currency, isOneOfSeveral }];
}

/** A line that is in the totals of the result, or in those of another currency. */
export interface ClaimedLine {
  readonly line: RunLine;
  /** Code of the category; null if no category claims the line. */
  readonly category: string | null;
  /** Tells categories with the same code apart: its position among the categories of the result, from 0. */
  readonly categoryIndex: number | null;
  readonly rule: string | null;
  readonly claimablePercent: string | null;
  /** The claimable part, not rounded; positive for money out. */
  readonly claimable: string | null;
  /** The tax that the claimable part contains; null if its rule states none, or receipts state it. */
  readonly taxPercent: string | null;
  /** The tax that it contains as its receipts state it, in the currency of the report; absent if they state none. */
  readonly statedTax?: string;
  /** What its receipts are called: `R1, R2`. Absent if it has none. */
  readonly receipts?: string;
  /** Absent unless the line is in another currency and was converted. The claim is then in the currency of the report. */
  readonly conversion?: LineConversion;
  /** Who has decided it; absent where rules have. */
  readonly decidedBy?: string;
}

export const LINE_OUTCOMES = ['claimed', 'uncategorised', 'not_claimed', 'split'] as const;

/** What became of a line, for those who decide about it. */
export interface DecidableLine {
  readonly line: RunLine;
  readonly occurrence: number;
  readonly outcome: (typeof LINE_OUTCOMES)[number];
  /** null if no category claims it, or several claim a part each. */
  readonly categoryId: string | null;
  readonly rule: string | null;
  /** In the currency of the report where it was converted, and not rounded. */
  readonly claimable: string | null;
  readonly decisionId: string | null;
  /** The category that rules would have claimed a decided line for. */
  readonly ruleCategoryId: string | null;
}

/** Why a line is not in the figures: an earlier statement has it as well, or its day is not in the period. */
export type LeftOut = 'repeated' | 'outside';

export interface LineListeners {
  /** Called for every line that is in the totals or in another currency, in the order of the lines. */
  readonly onLine?: (line: ClaimedLine) => void;
  /** Called for each of them once, also where a person has split it. */
  readonly onDecidable?: (line: DecidableLine) => void;
  /** Called for every other line, in the order of the lines. */
  readonly onLeftOut?: (line: RunLine, why: LeftOut) => void;
}

export const UNCLAIMED = { category: null, categoryIndex: null, rule: null, claimablePercent: null, claimable: null, taxPercent: null };

/** Reads the lines of a run one by one and sums them up. Keeps nothing of a line but its fingerprint. */
export class LineAccumulator {
  readonly tallies: ReadonlyMap<string, StatementTally>;
  readonly ledgers = new Map<string | null, CurrencyLedger>();
  outsidePeriod = 0;
  private readonly duplicates = new DuplicateDetector();
  private days: DateRange | null = null;
  /** null if no line is to be converted. */
  readonly conversions: Conversions | null;
  readonly receipts: Receipts;

  constructor(
    inputs: RunInputs,
    options: OutputOptions,
    private readonly period: DateRange | null,
    private readonly matcher: Matcher,
    private readonly decisions: Decisions,
    private readonly listeners: LineListeners,
  ) {
    this.conversions = conversionsOf(inputs, options, period);
    this.receipts = new Receipts(inputs);
    this.tallies = new Map(inputs.statements.map((statement) => [statement.id, new StatementTally(statement)]));
  }

  /** `isRepeated` says that an earlier statement has the booking in another form. */
  add(line: RunLine, isRepeated: boolean): void {
    const tally = this.tallies.get(line.statementId)!;
    const amount = moneyOf(line.amount);
    tally.add(line, amount);
    const { bookedOn } = line;
    if (this.period && (bookedOn < this.period.start || bookedOn > this.period.end)) {
      this.outsidePeriod += 1;
      this.listeners.onLeftOut?.(line, 'outside');
    } else {
      this.addInPeriod(line, amount, tally, isRepeated);
    }
    this.days = {
      start: !this.days || bookedOn < this.days.start ? bookedOn : this.days.start,
      end: !this.days || bookedOn > this.days.end ? bookedOn : this.days.end,
    };
  }

  private addInPeriod(line: RunLine, amount: Money, tally: StatementTally, isRepeated: boolean): void {
    const occurrence = this.duplicates.occurrenceOf(line);
    if (!isRepeated && !this.duplicates.isDuplicate(line, occurrence)) return this.count(line, amount, occurrence, tally);
    tally.duplicates += 1;
    this.listeners.onLeftOut?.(line, 'repeated');
  }

  /** The requested period, else the range from the first to the last day of statements and lines. */
  effectivePeriod(): DateRange | null {
    const spans = [...this.tallies.values()].flatMap(({ statement }) => periodOf(statement) ?? []);
    return this.period ?? rangeOver([...spans, ...(this.days ? [this.days] : [])]);
  }

  /** The currency of most lines, of several the first by the alphabet; null only if no line has a currency. */
  mainCurrency(): string | null {
    const named = [...this.ledgers].flatMap(([currency, { totals }]) => (currency === null ? [] : [{ currency, count: totals.count }]));
    named.sort((a, b) => b.count - a.count || (a.currency < b.currency ? -1 : 1));
    return named[0]?.currency ?? null;
  }

  ledgerOf(currency: string | null): CurrencyLedger {
    return this.ledgers.get(currency) ?? new CurrencyLedger();
  }

  /**
   * Rules see a line as it is in the statement; sums and claims have it in the currency of the report if there is a rate. What a person
   * has decided stands above rules.
   */
  private count(line: RunLine, written: Money, occurrence: number, { statement }: StatementTally): void {
    const byRule = this.matcher.claim(comparableLine(line, written), statement.projectId);
    const decision = this.decisions.of(line.fingerprint, occurrence);
    const parts = decision ? this.decisions.itemsOf(decision, written) : [{ amount: written, claim: byRule }];
    const conversions = parts.map(({ amount }) => this.conversions?.convert(line, amount));
    const receipts = this.receipts.of(line.fingerprint, occurrence);
    const items = parts.map(({ amount, claim }, index) =>
      withStatedTax({ amount: conversions[index]?.amount ?? amount, claim }, written, receipts),
    );
    const currency = conversions[0] ? this.conversions!.target : line.currency;
    const ledger = getOrCreate(this.ledgers, currency, () => new CurrencyLedger());
    ledger.add(line, items, decision !== undefined);
    if (!receipts) this.noteMissing(ledger, items);
    const { onLine, onDecidable } = this.listeners;
    const digits = minorDigitsOf(currency);
    onDecidable?.({ line, occurrence, ...outcomeOf(items, digits, decision), ...ofRules(byRule, decision) });
    if (!onLine) return;
    for (const [index, { amount, claim }] of items.entries()) {
      const converted = conversions[index];
      const said = {
        line: items.length === 1 ? line : { ...line, amount: formatMoney(parts[index]!.amount, minorDigitsOf(line.currency)) },
        ...(converted && { conversion: lineConversionOf(converted, digits) }),
        ...(decision && { decidedBy: decision.by }),
        ...(receipts && { receipts: receipts.references.join(', ') }),
      };
      if (claim === null) {
        onLine({ ...UNCLAIMED, ...said });
        continue;
      }
      const { category, rule } = claim.winner;
      onLine({
        category: category.code,
        categoryIndex: this.matcher.indexOf(category),
        rule: rule.name,
        claimablePercent: rule.claimablePercent,
        claimable: formatMoney(claimableOf(amount, claim), digits),
        taxPercent: rule.taxPercent,
        ...(isStated(rule.tax) && { statedTax: formatMoney(roundFraction(rule.tax, STATED_DECIMALS), digits) }),
        ...said,
      });
    }
  }

  /** Money out that a category wants a receipt for. The whole line counts, also where only a part of it is claimed. */
  private noteMissing(ledger: CurrencyLedger, items: readonly Item[]): void {
    const line = items.reduce((sum, { amount }) => sum - amount, 0n);
    for (const { amount, claim } of items) {
      const from = claim && this.matcher.receiptFrom.get(claim.winner.category);
      if (from !== undefined && from !== null && line > 0n && line >= from)
        getOrCreate(ledger.withoutReceipt, claim!.winner.category, () => new Sums()).add(amount);
    }
  }
}

/** As many as a spreadsheet calculates with. */
const STATED_DECIMALS = 15;

type Outcome = Pick<DecidableLine, 'outcome' | 'categoryId' | 'rule' | 'claimable'>;

function outcomeOf(items: readonly Item[], digits: number, decision: RunDecision | undefined): Outcome {
  const claims = items.flatMap(({ amount, claim }) => (claim ? [claimableOf(amount, claim)] : []));
  const sum = claims.reduce((all, claim) => all + claim, 0n);
  const claimable = claims.length === 0 ? null : formatMoney(sum, digits);
  if (items.length > 1) return { outcome: 'split', categoryId: null, rule: null, claimable };
  const winner = items[0]!.claim?.winner;
  if (winner) return { outcome: 'claimed', categoryId: winner.category.id, rule: winner.rule.name, claimable };
  return { outcome: decision ? 'not_claimed' : 'uncategorised', categoryId: null, rule: null, claimable };
}

const ofRules = (byRule: ClaimResult | null, decision: RunDecision | undefined): Pick<DecidableLine, 'decisionId' | 'ruleCategoryId'> => ({
  decisionId: decision?.id ?? null,
  ruleCategoryId: decision ? (byRule?.winner.category.id ?? null) : null,
});

function lineConversionOf({ amount, rate }: { readonly amount: Money; readonly rate: Rate }, digits: number): LineConversion {
  const { shown, quotedFor, quotes } = rate;
  return { amount: formatMoney(amount, digits), rate: shown, rateFor: quotedFor, ...(quotes && { quotes }) };
}
