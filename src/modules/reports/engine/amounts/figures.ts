import type { AmountsDto, ClaimReportCategoryDto, ClaimReportOtherCurrencyDto } from '../../result.dto.js';
import type { ClaimReportResultDto, ClaimReportUncategorisedDto } from '../../result.dto.js';
import type { RunCategory, TokenOf } from '../inputs.js';
import { byKey, type CurrencyLedger, getOrCreate, Sums, type UnclaimedLine } from './currency-ledger.js';
import { formatMoney, minorDigitsOf, type Money, moneyOf } from '../../../../kernel/money.js';

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
