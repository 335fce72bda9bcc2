/** The most digits that an amount may have. */
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

const unitsOf = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(SCALE, '0')}`);
};

/** null if the sum has too many digits. */
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
