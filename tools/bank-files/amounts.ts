const MAX_DIGITS = 18;
/** Leading and trailing zeros do not count as digits, but even with them an amount may not be longer. */
const MAX_WRITTEN = 40;
const SCALE = MAX_DIGITS - 1;

/**
 * The canonical form of a decimal: no unnecessary zeros, at least two decimals, and zero without a sign. Equal amounts are equal
 * texts. null if there are too many digits.
 */
export function decimalOf(isNegative: boolean, whole: string, fraction: string): string | null {
  if (whole.length + fraction.length > MAX_WRITTEN) return null;
  const integer = whole.replace(/^0+/, '') || '0';
  const decimals = fraction.replace(/0+$/, '').padEnd(2, '0');
  if (integer.length + decimals.length > MAX_DIGITS) return null;
  const isZero = integer === '0' && /^0+$/.test(decimals);
  return `${isNegative && !isZero ? '-' : ''}${integer}.${decimals}`;
}

/** Reads digits with an optional point or comma before the decimals; null for anything else. */
export function plainDecimalOf(text: string, isNegative = false): string | null {
  const [, whole, fraction = ''] = /^(\d+)(?:[.,](\d*))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? null : decimalOf(isNegative, whole, fraction);
}

/** The same after a minus sign, or none. */
export const signedDecimalOf = (text: string): string | null => plainDecimalOf(text.replace(/^-/, ''), text.startsWith('-'));

/** Reads digits of which the last ones are decimals, as records of a fixed width have them; null for anything else. */
export const scaledDecimalOf = (digits: string, decimals: number, isNegative: boolean): string | null =>
  /^\d+$/.test(digits) && digits.length > decimals
    ? decimalOf(isNegative, digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals))
    : null;

const unitsOf = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(SCALE, '0')}`);
};

/** Hundredths of an amount with two decimals that are exact as a number; NaN for any other. */
const hundredthsOf = (amount: string): number =>
  amount.length <= MAX_DIGITS - 2 && amount.at(-3) === '.' ? Number(amount.slice(0, -3) + amount.slice(-2)) : NaN;

/** The sum of up to eight amounts of 15 digits is exact as a number. */
const MOST_EXACT = 8;

/** null if the sum has too many digits. */
export function sumOf(amounts: readonly string[]): string | null {
  const hundredths = amounts.reduce((sum, amount) => sum + hundredthsOf(amount), 0);
  // Most amounts are of this kind, for which it takes a fifth of the time.
  if (amounts.length <= MOST_EXACT && Number.isSafeInteger(hundredths)) {
    const digits = `${Math.abs(hundredths)}`.padStart(3, '0');
    return decimalOf(hundredths < 0, digits.slice(0, -2), digits.slice(-2));
  }
  const units = amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n);
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, '0');
  return decimalOf(units < 0n, digits.slice(0, -SCALE), digits.slice(-SCALE));
}

export const isZero = (amount: string): boolean => /^[0.]+$/.test(amount);

export function negated(amount: string): string {
  if (isZero(amount)) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
