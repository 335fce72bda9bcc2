import type { Format, Look, Styles } from './styles.js';
import { cellText, escaped } from './xml.js';

/** A value, and the formula that it is the result of. null is an empty cell. */
export interface FilledCell {
  /** A text, an exact decimal, a date `2026-03-31`, a month `2026-03` or a time as ISO 8601. */
  readonly value: string;
  readonly format: Format;
  readonly look?: Look;
  readonly formula?: string;
}
export type Cell = FilledCell | null;

export const text = (value: string | null, look?: Look): Cell => (value === null ? null : { value, format: 'text', look });
/** A heading over numbers stands to the right, as they do. */
export const heading = (value: string, format: 'text' | 'number' = 'text'): Cell => ({
  value,
  format: format === 'text' ? 'text' : { decimals: 0 },
  look: 'heading',
});
/** Empty cells with a look. */
export const filler = (count: number, look?: Look): Cell[] => Array.from({ length: count }, () => text('', look));

export const date = (value: string | null): Cell => (value === null ? null : { value, format: 'date' });
export const month = (value: string, look?: Look): Cell => ({ value, format: 'month', look });

/** A number with all its decimals, or with those of its column. */
export function number(value: string | null, { decimals = decimalsOf(value), upTo, ...more }: NumberOptions = {}): Cell {
  return value === null ? null : { value, format: { decimals, upTo }, ...more };
}

interface NumberOptions {
  readonly decimals?: number;
  readonly upTo?: number;
  readonly look?: Look;
  readonly formula?: string;
}

export const decimalsOf = (decimal: string | null): number => (decimal?.includes('.') ? decimal.length - decimal.indexOf('.') - 1 : 0);

const UNIX_EPOCH_SERIAL = 25_569;
const MS_PER_DAY = 86_400_000;
const DAY = /^\d{4}-\d{2}(-\d{2}(T.*Z)?)?$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

export function cellXml({ value, format, look, formula }: FilledCell, reference: string, styles: Styles): string {
  const numeric = numericValue(value, format);
  // A text in a column of numbers, such as its heading, may stand where they do.
  if (numeric === undefined) return inlineText(value, reference, styles.numberOf(look ? format : 'text', look));
  const made = formula === undefined ? '' : `<f>${escaped(formula)}</f>`;
  return `<c r="${reference}" s="${styles.numberOf(format, look)}">${made}<v>${numeric}</v></c>`;
}

/** What a number, a date or a time is stored as. Undefined for all that has to be a text. */
function numericValue(value: string, format: Format): string | undefined {
  if (format === 'text') return undefined;
  if (typeof format === 'object') return DECIMAL.test(value) ? value : undefined;
  return DAY.test(value) ? String(Number((Date.parse(value) / MS_PER_DAY + UNIX_EPOCH_SERIAL).toFixed(6))) : undefined;
}

/** An inline text is never read as a formula. */
function inlineText(value: string, reference: string, style: number): string {
  const space = value.trim() === value ? '' : ' xml:space="preserve"';
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t${space}>${cellText(value)}</t></is></c>`;
}
