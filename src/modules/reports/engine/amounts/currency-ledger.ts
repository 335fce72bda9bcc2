import { getOrCreate } from '../../../../kernel/get-or-create.js';
import { addFractions, formatMoney, minorDigitsOf, moneyOf, NOTHING, roundFraction, roundMoney } from '../../../../kernel/money.js';
import { shareOf, taxIn } from '../../../../kernel/money.js';
import type { Money, Percent } from '../../../../kernel/money.js';
import type { AmountsDto, ClaimReportCategoryDto, ClaimReportOtherCurrencyDto, ClaimReportResultDto } from '../../result.dto.js';
import type { ClaimReportUncategorisedDto } from '../../result.dto.js';
import { monthOf, type RunCategory, type RunLine, type TokenOf } from '../inputs.js';
import { type ClaimResult, type ClaimRule, isStated, type Item } from '../rules/matcher.js';

const MAX_NAMED = 20;
/** Counterparties that appear for the first time after so many others are not counted. */
const MAX_COUNTED = 50_000;

interface UnclaimedLine {
  readonly statementId: string;
  readonly lineNumber: number;
  readonly amount: Money;
  readonly counterparty: string | null;
}

interface UnclaimedCounterparty {
  readonly counterparty: string;
  readonly first: UnclaimedLine;
  count: number;
  /** Negative for money out, as in lines. */
  sum: Money;
}

/** The lines that no category claims: the largest ones, and the counterparties that most of the money went to. */
export class UnclaimedLines {
  /** The largest first; of equal ones, the earlier one. */
  readonly largest: UnclaimedLine[] = [];
  private readonly byCounterparty = new Map<string, UnclaimedCounterparty>();

  add({ statementId, lineNumber, counterparty }: RunLine, amount: Money): void {
    const line = { statementId, lineNumber, amount, counterparty };
    this.rank(line);
    if (counterparty === null) return;
    const known = this.byCounterparty.get(counterparty);
    if (known) {
      known.count += 1;
      known.sum += amount;
    } else if (this.byCounterparty.size < MAX_COUNTED) {
      this.byCounterparty.set(counterparty, { counterparty, first: line, count: 1, sum: amount });
    }
  }

  /** The counterparties of several lines, those with the most money first. */
  repeated(): UnclaimedCounterparty[] {
    const several = [...this.byCounterparty.values()].filter(({ count }) => count > 1);
    return several.sort((a, b) => Number(sizeOf(b.sum) > sizeOf(a.sum)) - Number(sizeOf(b.sum) < sizeOf(a.sum))).slice(0, MAX_NAMED);
  }

  private rank(line: UnclaimedLine): void {
    const size = sizeOf(line.amount);
    if (this.largest.length === MAX_NAMED && size <= sizeOf(this.largest.at(-1)!.amount)) return;
    const at = this.largest.findIndex(({ amount }) => sizeOf(amount) < size);
    this.largest.splice(at < 0 ? this.largest.length : at, 0, line);
    this.largest.length = Math.min(this.largest.length, MAX_NAMED);
  }
}

const sizeOf = (amount: Money): Money => (amount < 0n ? -amount : amount);

export class Sums {
  count = 0;
  gross: Money = 0n;
  refunds: Money = 0n;

  /** A negative amount is money out. */
  add(amount: Money): void {
    this.count += 1;
    if (amount < 0n) this.gross -= amount;
    else this.refunds += amount;
  }

  include(other: Sums): void {
    this.count += other.count;
    this.gross += other.gross;
    this.refunds += other.refunds;
  }

  get net(): Money {
    return this.gross - this.refunds;
  }
}

/** The lines of a category in a month. Claims are rounded here and nowhere else. */
class CategoryMonth extends Sums {
  private share: Money = 0n;
  /** The claims that contain a tax, by its percentage. */
  private readonly taxed = new Map<Percent, Money>();
  /** The taxes that receipts state, by their denominators. */
  private readonly stated = new Map<bigint, Money>();

  claim(share: Money, tax: ClaimRule['tax']): void {
    this.share += share;
    if (isStated(tax)) this.stated.set(tax.denominator, (this.stated.get(tax.denominator) ?? 0n) + tax.numerator);
    else if (tax !== null) this.taxed.set(tax, (this.taxed.get(tax) ?? 0n) + share);
  }

  claimable(digits: number): Money {
    return roundMoney(this.share, digits);
  }

  /** The tax that the claims contain: added up exactly and rounded once, like the claims. */
  tax(digits: number): Money {
    const stated = [...this.stated].map(([denominator, numerator]) => ({ numerator, denominator }));
    const taxes = [...[...this.taxed].map(([percent, share]) => taxIn(share, percent)), ...stated];
    return roundFraction(taxes.reduce(addFractions, NOTHING), digits);
  }
}

/** The claimable part of a line, not rounded; positive for money out. */
export const claimableOf = (amount: Money, { winner }: ClaimResult): Money => shareOf(-amount, winner.rule.percent);

/** The sums of all lines in one currency. Totals, months and categories are summed up separately, so that controls can compare them. */
export class CurrencyLedger {
  readonly totals = new Sums();
  readonly months = new Map<string, Sums>();
  readonly uncategorised = new Sums();
  /** Of these, what people have decided not to claim. */
  readonly setAside = new Sums();
  readonly unclaimed = new UnclaimedLines();
  /** By category id and month. */
  readonly categoryMonths = new Map<string, Map<string, CategoryMonth>>();
  /** For each category, how many of its lines each other category would have claimed as well. */
  readonly overlaps = new Map<RunCategory, Map<RunCategory, number>>();
  /** For each category that wants receipts, its lines without one. */
  readonly withoutReceipt = new Map<RunCategory, Sums>();
  readonly linesByStatement = new Map<string, number>();

  /** A line and what makes it up: itself, unless a person has split it. */
  add(line: RunLine, items: readonly Item[], isDecided: boolean): void {
    const { statementId } = line;
    const month = monthOf(line.bookedOn);
    const amount = items.reduce((sum, item) => sum + item.amount, 0n);
    this.linesByStatement.set(statementId, (this.linesByStatement.get(statementId) ?? 0) + 1);
    this.totals.add(amount);
    getOrCreate(this.months, month, () => new Sums()).add(amount);
    for (const item of items) {
      if (item.claim !== null) this.claim(month, item.amount, item.claim);
      else this.leave(line, item.amount, isDecided);
    }
  }

  private leave(line: RunLine, amount: Money, isDecided: boolean): void {
    this.uncategorised.add(amount);
    if (isDecided) this.setAside.add(amount);
    else this.unclaimed.add(line, amount);
  }

  private claim(month: string, amount: Money, claim: ClaimResult): void {
    const { winner, losers } = claim;
    const ofMonth = getOrCreate(
      getOrCreate(this.categoryMonths, winner.category.id, () => new Map<string, CategoryMonth>()),
      month,
      () => new CategoryMonth(),
    );
    ofMonth.add(amount);
    ofMonth.claim(claimableOf(amount, claim), winner.rule.tax);
    if (losers.length > 0) this.countOverlaps(winner.category, losers);
  }

  private countOverlaps(winner: RunCategory, losers: readonly RunCategory[]): void {
    const counts = getOrCreate(this.overlaps, winner, () => new Map<RunCategory, number>());
    for (const loser of losers) counts.set(loser, (counts.get(loser) ?? 0) + 1);
  }
}

export const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

type TaxField = 'claimableTax' | 'claimableNet';

export type Figures = Pick<ClaimReportResultDto, 'totals' | 'categories' | 'months' | 'uncategorised'>;

interface Claim {
  claimable: Money;
  tax: Money;
}

interface FigureOptions {
  readonly currency: string | null;
  readonly hasTax: boolean;
  readonly tokenOf: TokenOf;
}

/** The figures of a ledger as text. Claims are rounded per category and month and all other claims are sums of these, so they add up. */
export function figuresOf(ledger: CurrencyLedger, categories: readonly RunCategory[], options: FigureOptions): Figures {
  const digits = minorDigitsOf(options.currency);
  const format = (sums: Sums, claim: Claim): AmountsDto => ({ ...formatSums(sums, digits), ...formatClaim(claim, digits, options.hasTax) });
  const claimedByMonth = new Map<string, Claim>();
  const claimedInTotal = noClaim();
  const ofCategories = categories.map(({ id, code, name }): ClaimReportCategoryDto => {
    const ownMonths = [...(ledger.categoryMonths.get(id) ?? [])].sort(byKey);
    const sums = new Sums();
    const claimedByCategory = noClaim();
    const months = ownMonths.map(([month, lines]) => {
      const claim = { claimable: lines.claimable(digits), tax: lines.tax(digits) };
      sums.include(lines);
      for (const all of [claimedByCategory, claimedInTotal, getOrCreate(claimedByMonth, month, noClaim)]) include(all, claim);
      return { month, ...format(lines, claim) };
    });
    return { code, name, ...format(sums, claimedByCategory), months };
  });
  const net = formatMoney(ledger.uncategorised.net, digits);
  return {
    totals: { ...format(ledger.totals, claimedInTotal), uncategorised: net },
    categories: ofCategories,
    months: [...ledger.months].sort(byKey).map(([month, sums]) => ({ month, ...format(sums, claimedByMonth.get(month) ?? noClaim()) })),
    uncategorised: {
      count: ledger.uncategorised.count,
      net,
      ...setAsideOf(ledger, digits),
      ...unclaimedOf(ledger, digits, options.tokenOf),
    },
  };
}

const noClaim = (): Claim => ({ claimable: 0n, tax: 0n });

function include(all: Claim, { claimable, tax }: Claim): void {
  all.claimable += claimable;
  all.tax += tax;
}

function formatClaim({ claimable, tax }: Claim, digits: number, hasTax: boolean): Pick<AmountsDto, 'claimable' | TaxField> {
  const format = (money: Money) => formatMoney(money, digits);
  return { claimable: format(claimable), ...(hasTax && { claimableTax: format(tax), claimableNet: format(claimable - tax) }) };
}

const setAsideOf = ({ setAside: { count, net } }: CurrencyLedger, digits: number) =>
  count === 0 ? {} : { decidedCount: count, decidedNet: formatMoney(net, digits) };

function unclaimedOf(
  { unclaimed }: CurrencyLedger,
  digits: number,
  tokenOf: TokenOf,
): Pick<ClaimReportUncategorisedDto, 'largest' | 'counterparties'> {
  const placeOf = ({ statementId, lineNumber }: UnclaimedLine) => ({ statementId, lineNumber });
  const tokenOrNull = (counterparty: string | null) => counterparty && partyToken(counterparty, tokenOf);
  return {
    largest: unclaimed.largest.map((line) => ({
      ...placeOf(line),
      amount: formatMoney(line.amount, digits),
      counterparty: tokenOrNull(line.counterparty),
    })),
    counterparties: unclaimed.repeated().map(({ counterparty, first, count, sum }) => ({
      counterparty: partyToken(counterparty, tokenOf),
      count,
      net: formatMoney(-sum, digits),
      example: placeOf(first),
    })),
  };
}

/** No result contains a name, not even that of a company. */
const partyToken = (counterparty: string, tokenOf: TokenOf): string =>
  /^PERSON-[0-9A-Z]+$/.test(counterparty) ? counterparty : tokenOf('counterparty', counterparty).replace(/^PERSON/, 'COMPANY');

/** Sorted by currency; lines without a currency come last. */
export function otherCurrencies(ledgers: ReadonlyMap<string | null, CurrencyLedger>, main: string | null): ClaimReportOtherCurrencyDto[] {
  const others = [...ledgers].filter(([currency]) => currency !== main);
  others.sort(([a], [b]) => (b === null || (a !== null && a < b) ? -1 : 1));
  return others.map(([currency, { totals }]) => ({ currency, ...formatSums(totals, minorDigitsOf(currency)) }));
}

function formatSums({ count, gross, refunds, net }: Sums, digits: number): Omit<AmountsDto, 'claimable' | TaxField> {
  return { count, gross: formatMoney(gross, digits), refunds: formatMoney(refunds, digits), net: formatMoney(net, digits) };
}

/** What amounts make together, with the decimals of the currency. */
export const sumOf = (amounts: readonly string[], currency: string | null): string => {
  const sum = amounts.reduce((before, amount) => before + moneyOf(amount), 0n);
  return formatMoney(sum, minorDigitsOf(currency));
};
