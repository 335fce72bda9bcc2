/**
 * An exact decimal, as a whole number of 10^-24. Amounts have at most 18 decimals and a percentage with four decimals adds six, so
 * sums and shares are exact. Only `roundMoney` rounds.
 */
export type Money = bigint;

const PLACES = 24;
const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,18}))?$/;
/** Decimals of the ISO 4217 currencies that do not have two. A table, because Intl's data changes with the version of Node. */
const MINOR_DIGITS = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

export function minorDigitsOf(currency: string | null): number {
  return MINOR_DIGITS.get(currency ?? '') ?? 2;
}

/** Undefined if the text is not a decimal. For untrusted text. */
export function readMoney(text: string): Money | undefined {
  const match = AMOUNT.exec(text);
  return match ? moneyIn(match) : undefined;
}

function moneyIn([, sign, whole, decimals = '']: RegExpExecArray): Money {
  const money = BigInt(whole! + decimals.padEnd(PLACES, '0'));
  return sign === '-' ? -money : money;
}

/** How an amount is written in a request and in an answer: without a plus, leading zeros or a negative zero, so that it stays as it is. */
export const MONEY_PATTERN = '^(?!-0(\\.0+)?$)-?(0|[1-9]\\d{0,17})(\\.\\d{1,18})?$';
/** Sign, digits, point and digits: the pattern says the same, but not every tool can count by it. */
export const MONEY_MAX_LENGTH = 38;
const WRITTEN = new RegExp(MONEY_PATTERN);

export function isWrittenMoney(text: string): boolean {
  return WRITTEN.test(text);
}

/** For amounts that were validated when the statement was read. */
export function moneyOf(text: string): Money {
  return readMoney(text) ?? notDecimal();
}

function notDecimal(): never {
  throw new Error('An amount is not a decimal.');
}

const EXACT = /^(-?)(\d+)(?:\.(\d{1,24}))?$/;

/** The money that `formatMoney` wrote. It may have more decimals than an amount. */
export function exactMoneyOf(text: string): Money {
  return moneyIn(EXACT.exec(text) ?? notDecimal());
}

/** With all its decimals, and at least `minDigits` of them. */
export function formatMoney(money: Money, minDigits: number): string {
  const digits = (money < 0n ? -money : money).toString().padStart(PLACES + 1, '0');
  const decimals = digits.slice(-PLACES).replace(/0+$/, '').padEnd(minDigits, '0');
  const point = decimals === '' ? '' : '.';
  return `${money < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${point}${decimals}`;
}

/** The smallest unit of a currency, such as a cent. */
export const unitOf = (digits: number): Money => 10n ** BigInt(PLACES - digits);

/** Rounds half away from zero, so a refund rounds like the payment it refunds. */
export function roundMoney(money: Money, digits: number): Money {
  const unit = unitOf(digits);
  const half = money < 0n ? -unit / 2n : unit / 2n;
  return ((money + half) / unit) * unit;
}

/** An exact share of money that may have no end as a decimal. The denominator is positive. */
export interface Fraction {
  readonly numerator: Money;
  readonly denominator: bigint;
}

export const NOTHING: Fraction = { numerator: 0n, denominator: 1n };

export function addFractions(a: Fraction, b: Fraction): Fraction {
  return { numerator: a.numerator * b.denominator + b.numerator * a.denominator, denominator: a.denominator * b.denominator };
}

/** Rounds half away from zero, once and from the exact fraction. */
export function roundFraction({ numerator, denominator }: Fraction, digits: number): Money {
  const unit = unitOf(digits);
  const divisor = 2n * denominator * unit;
  const half = denominator * unit;
  return ((2n * numerator + (numerator < 0n ? -half : half)) / divisor) * unit;
}

/** How a decimal with these places and bounds is written. Like an amount, it stays as it is. */
export function decimalForm(places: number, min: string, max: string) {
  const form = (whole: number, sign: string) => `^(?!-0(\\.0+)?$)${sign}(0|[1-9]\\d{0,${whole}})(\\.\\d{1,${places}})?$`;
  const isWritten = (text: string): boolean => isWrittenMoney(text) && (text.split('.')[1] ?? '').length <= places;
  const arePlaces = Number.isInteger(places) && places >= 1 && places <= 18;
  if (!arePlaces || ![min, max].every(isWritten) || moneyOf(min) > moneyOf(max))
    throw new Error(`There is no decimal with ${places} places from ${min} to ${max}.`);
  const digits = Math.max(...[min, max].map((bound) => bound.replace(/^-|\..*$/g, '').length));
  const isSigned = min.startsWith('-');
  // For documents: with as many digits before the point as the bounds have.
  return { pattern: form(digits - 1, isSigned ? '-?' : ''), maxLength: (isSigned ? 1 : 0) + digits + 1 + places, isWritten };
}

/** A percentage, as a whole number of ten-thousandths of a percent. */
export type Percent = bigint;

/** How a percentage from 0 to 100 is written in a request and in an answer: without leading zeros, so that it stays as it is. */
export const PERCENT_PATTERN = '^(100(\\.0{1,4})?|(0|[1-9]\\d?)(\\.\\d{1,4})?)$';
export const PERCENT_MAX_LENGTH = 8;
const WRITTEN_PERCENT = new RegExp(PERCENT_PATTERN);

export function isWrittenPercent(text: string): boolean {
  return WRITTEN_PERCENT.test(text);
}

const PERCENT = /^(\d{1,3})(?:\.(\d{1,4}))?$/;
const ALL = 1_000_000n;

/** Undefined unless the text is a number from 0 to 100 with at most four decimals. */
export function readPercent(text: string): Percent | undefined {
  const match = PERCENT.exec(text);
  if (!match) return undefined;
  const percent = BigInt(match[1]! + (match[2] ?? '').padEnd(4, '0'));
  return percent <= ALL ? percent : undefined;
}

/** Exact for amounts of at most 18 decimals. */
export function shareOf(money: Money, percent: Percent): Money {
  return (money * percent) / ALL;
}

/** The tax that an amount contains: at 19 percent, 19 parts of 119. */
export function taxIn(money: Money, percent: Percent): Fraction {
  return { numerator: money * percent, denominator: ALL + percent };
}

export function formatPercent(percent: Percent): string {
  return formatMoney(percent * 10n ** BigInt(PLACES - 4), 0);
}
