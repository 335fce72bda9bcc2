import { dayOf } from '../dates.js';

/** How the number of a cell is shown. */
export interface NumberFormat {
  readonly isDate: boolean;
  /** null if the format does not say. */
  readonly decimals: number | null;
  /** ISO code or symbol in the format. */
  readonly currency: string | null;
}

/** What a double can hold: more digits are errors of its binary form, such as 12.299999999999999 for 12.3. */
const EXACT_DIGITS = 15;
const MAX_EXPONENT = 25;

/** The decimal that was meant, such as `-1234.5`; null for what is not a number that can be an amount. */
export function exactDecimalOf(written: string): string | null {
  const value = /^[+-]?\d*\.?\d+(?:[eE][+-]?\d{1,3})?$/.test(written.trim()) ? Number(written) : NaN;
  if (!Number.isFinite(value) || Math.abs(value) >= 10 ** MAX_EXPONENT) return null;
  const [mantissa = '', exponent = '0'] = value.toExponential(EXACT_DIGITS - 1).split('e');
  const digits = mantissa.replace(/[-.]/g, '');
  const point = Number(exponent) + 1;
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = (point > 0 ? digits.slice(point) : `${'0'.repeat(Math.min(-point, MAX_EXPONENT))}${digits}`).replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

export const decimalsOf = (decimal: string): number => decimal.split('.')[1]?.length ?? 0;

/** Rounded half away from zero, as spreadsheets show it. */
export function roundedTo(decimal: string, decimals: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (fraction.length <= decimals) return decimal;
  const units = BigInt(`${whole}${fraction.slice(0, decimals)}`) + (fraction[decimals]! >= '5' ? 1n : 0n);
  const digits = units.toString().padStart(decimals + 1, '0');
  const rounded = `${digits.slice(0, digits.length - decimals)}${decimals > 0 ? `.${digits.slice(-decimals)}` : ''}`;
  return `${sign}${rounded}`;
}

/** As a CSV would have it: the point is the decimal mark beyond doubt, which `1.234` would not show. */
export function writtenDecimal(decimal: string): string {
  const decimals = decimalsOf(decimal);
  if (decimals === 0) return decimal;
  return decimals === 1 || decimals === 3 ? `${decimal}0` : decimal;
}

const DAY_MS = 86_400_000;
const [FROM_1900, FROM_1904] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)];
/** In the system of 1900, the day after 28 February 1900 is one that did not exist. */
const FIRST_TRUE_DAY = 61;
const LAST_DAY = 2_958_465;

/** The day of a date cell; null if it is none. */
export function dayOfSerial(written: string, is1904: boolean): string | null {
  const serial = Math.floor(Number(written) + 0.5 / 86_400);
  if (!Number.isFinite(serial) || serial < (is1904 ? 0 : FIRST_TRUE_DAY) || serial > LAST_DAY) return null;
  const date = new Date((is1904 ? FROM_1904 : FROM_1900) + serial * DAY_MS);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}
