/** As many digits as an amount may have. */
const MAX_DIGITS = 18;
/** Zeros in front or behind are no digits that count, yet nobody writes this many. */
const MAX_WRITTEN = 40;
const SCALE = MAX_DIGITS - 1;

/**
 * A decimal in the one form that its value has: no needless zeros, yet at least two places, and zero without a sign.
 * So equal amounts are equal texts. Null when it has more digits than an amount may have.
 */
export function decimalOf(isNegative: boolean, whole: string, fraction: string): string | null {
  if (whole.length + fraction.length > MAX_WRITTEN) return null;
  const integer = whole.replace(/^0+/, '') || '0';
  const places = fraction.replace(/0+$/, '').padEnd(2, '0');
  if (integer.length + places.length > MAX_DIGITS) return null;
  const isZero = integer === '0' && /^0+$/.test(places);
  return `${isNegative && !isZero ? '-' : ''}${integer}.${places}`;
}

/** A decimal as machines write it: digits, and a point or a comma before the places; null for all else. */
export function plainDecimalOf(text: string, isNegative = false): string | null {
  const [, whole, fraction = ''] = /^(\d+)(?:[.,](\d*))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? null : decimalOf(isNegative, whole, fraction);
}

const unitsOf = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(SCALE, '0')}`);
};

/** Null when the sum has more digits than an amount may have. */
export function sumOf(amounts: readonly string[]): string | null {
  const units = amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n);
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, '0');
  return decimalOf(units < 0n, digits.slice(0, -SCALE), digits.slice(-SCALE));
}

export const isZero = (amount: string): boolean => /^[0.]+$/.test(amount);

export function negated(amount: string): string {
  if (isZero(amount)) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
