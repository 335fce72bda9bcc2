/**
 * Exact decimals as whole numbers of 10^-24: amounts have at most 18 decimals, and a percentage with four decimals takes six more.
 * Sums and shares of amounts are exact, then, and nothing is rounded but where it says so.
 */
export type Money = bigint;

const PLACES = 24;
const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,18}))?$/;
/** ISO 4217: decimals of the currencies that do not have two. A table, since what Intl knows changes with the version of Node. */
const MINOR_DIGITS = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

export function minorDigitsOf(currency: string | null): number {
  return MINOR_DIGITS.get(currency ?? '') ?? 2;
}

/** Undefined for what is no decimal; the text may be anybody's. */
export function readMoney(text: string): Money | undefined {
  const match = AMOUNT.exec(text);
  if (!match) return undefined;
  const [, sign, whole, decimals = ''] = match;
  const money = BigInt(whole + decimals.padEnd(PLACES, '0'));
  return sign === '-' ? -money : money;
}

/** For amounts that were checked when the statement was read. */
export function moneyOf(text: string): Money {
  return readMoney(text) ?? refuse();
}

function refuse(): never {
  throw new Error('An amount is no exact decimal.');
}

/** All decimals that it has, and at least so many. */
export function formatMoney(money: Money, minDigits: number): string {
  const digits = (money < 0n ? -money : money).toString().padStart(PLACES + 1, '0');
  const decimals = digits.slice(-PLACES).replace(/0+$/, '').padEnd(minDigits, '0');
  const point = decimals === '' ? '' : '.';
  return `${money < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${point}${decimals}`;
}

/** Half away from zero, as accountants do: refunds round like what they refund. */
export function roundMoney(money: Money, digits: number): Money {
  const unit = 10n ** BigInt(PLACES - digits);
  const half = money < 0n ? -unit / 2n : unit / 2n;
  return ((money + half) / unit) * unit;
}

/** Whole numbers of a ten-thousandth of a percent. */
export type Percent = bigint;

const PERCENT = /^(\d{1,3})(?:\.(\d{1,4}))?$/;
const ALL = 1_000_000n;

/** From 0 to 100 with up to four decimals; undefined for all else. */
export function readPercent(text: string): Percent | undefined {
  const match = PERCENT.exec(text);
  if (!match) return undefined;
  const percent = BigInt(match[1]! + (match[2] ?? '').padEnd(4, '0'));
  return percent <= ALL ? percent : undefined;
}

/** Exact as long as the money has no more than 18 decimals. */
export function shareOf(money: Money, percent: Percent): Money {
  return (money * percent) / ALL;
}

export function formatPercent(percent: Percent): string {
  return formatMoney(percent * 10n ** BigInt(PLACES - 4), 0);
}
