import { nodesAt, textAt, type XmlNode } from '../markup.js';
import { isCurrency } from '../currencies.js';
import { dayOf } from '../dates.js';

export interface NumberFormat {
  readonly isDate: boolean;
  /** null if the format does not say. */
  readonly decimals: number | null;
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

export function dayOfSerial(written: string, is1904: boolean): string | null {
  const serial = Math.floor(Number(written) + 0.5 / 86_400);
  if (!Number.isFinite(serial) || serial < (is1904 ? 0 : FIRST_TRUE_DAY) || serial > LAST_DAY) return null;
  const date = new Date((is1904 ? FROM_1904 : FROM_1900) + serial * DAY_MS);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

const GENERAL: NumberFormat = { isDate: false, decimals: null, currency: null };
/** Built-in formats of dates and times, including those of East Asian versions. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;
const WITHOUT_DECIMALS = [1, 3, 37, 38, 41, 42];
const WITH_TWO_DECIMALS = [2, 4, 39, 40, 43, 44];

export function numberFormatsOf(styles: XmlNode | null): (style: number) => NumberFormat {
  if (styles === null) return () => GENERAL;
  const codes = new Map(
    nodesAt(styles, 'styleSheet/numFmts/numFmt').map((format) => [
      Number(textAt(format, '@numFmtId')),
      textAt(format, '@formatCode') ?? '',
    ]),
  );
  const formats = nodesAt(styles, 'styleSheet/cellXfs/xf').map((style) => {
    const id = Number(textAt(style, '@numFmtId') ?? '0');
    const code = codes.get(id);
    return code === undefined ? builtIn(id) : formatOf(code);
  });
  return (style) => formats[style] ?? GENERAL;
}

function builtIn(id: number): NumberFormat {
  const isDate = BUILT_IN_DATES.some(([first, last]) => first <= id && id <= last);
  const decimals = WITHOUT_DECIMALS.includes(id) ? 0 : WITH_TWO_DECIMALS.includes(id) ? 2 : null;
  return { isDate, decimals, currency: null };
}

/** Reads a format such as `#,##0.00 [$€-407]`. Letters within quotation marks or brackets are text, not parts of a date. */
function formatOf(code: string): NumberFormat {
  const [positive = ''] = code.split(';');
  const bare = positive.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, '');
  const isDate = /[ymdhs]/i.test(bare.replace(/general|standard/i, '')) && !/[0#?]/.test(bare.replace(/s\.0+/i, ''));
  if (isDate) return { isDate, decimals: null, currency: null };
  const [number] = /[0#?][0#?,]*(?:\.[0#?]*)?/.exec(bare) ?? [];
  return { isDate, decimals: number === undefined ? null : (number.split('.')[1]?.length ?? 0), currency: currencyIn(positive) };
}

function currencyIn(code: string): string | null {
  const texts = [...code.matchAll(/\[\$([^\]-]*)(?:-[^\]]*)?\]|"([^"]*)"/g)].map(([, symbol, text]) => (symbol ?? text ?? '').trim());
  const [bare] = /[€£]/.exec(code) ?? [];
  return texts.find((text) => isCurrency(text) || /^[€£]$/.test(text)) ?? bare ?? null;
}
