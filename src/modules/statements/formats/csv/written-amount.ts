import { JobFailure } from '../../../../kernel/failure.js';
import { decimalOf } from '../amounts.js';
import { isCurrency, SYMBOLS } from './named-column.js';

/** An amount as a cell has it, before the decimal mark of the file is known. */
export interface WrittenAmount {
  readonly sign: '+' | '-' | null;
  /** Credit or debit, which some banks write instead of a sign. */
  readonly mark: 'in' | 'out' | null;
  readonly currency: string | null;
  /** Digits, points and commas. */
  readonly digits: string;
}

const MAX_LENGTH = 60;
const UNIT = '[€£$¥]|US\\$|kr\\.?|zł|Kč|Ft|Fr\\.|[A-Za-z]{3}';
const AMOUNT = new RegExp(`^(\\()?([+-])?(${UNIT})?([+-])?([\\d.,]*\\d[\\d.,]*)([+-])?(${UNIT})?([+-])?(CR|DR|C|D|H|S)?\\.?(\\))?$`, 'i');
const MARKS: Readonly<Record<string, 'in' | 'out'>> = { CR: 'in', C: 'in', H: 'in', DR: 'out', D: 'out', S: 'out' };

/** null if the cell is not an amount. Ignores blanks and apostrophes between thousands. */
export function writtenAmount(cell: string): WrittenAmount | null {
  if (cell.length > MAX_LENGTH) return null;
  const compact = cell.replace(/[\s'’´`]/g, '').replace(/[−–‐]/g, '-');
  const [, open, ...parts] = AMOUNT.exec(compact) ?? [];
  const [sign1, unit1, sign2, digits, sign3, unit2, sign4, mark, close] = parts;
  if (!digits || Boolean(open) !== Boolean(close)) return null;
  const signs = [open && '-', sign1, sign2, sign3, sign4].filter(Boolean);
  const unit = unit1 ?? unit2 ?? '';
  if (signs.length > 1 || (unit1 && unit2) || (/^[A-Z]{3}$/i.test(unit) && !isCurrency(unit.toUpperCase()))) return null;
  return {
    sign: (signs[0] as '+' | '-' | undefined) ?? null,
    mark: mark ? MARKS[mark.toUpperCase()]! : null,
    currency: currencyIn(unit.toUpperCase()),
    digits,
  };
}

const currencyIn = (unit: string): string | null => SYMBOLS[unit] ?? (isCurrency(unit) ? unit : null);

/** Whether point or comma is the decimal mark. It is the same in the whole file, and is proven by amounts, never guessed. */
export class DecimalMark {
  private mark: string | null = null;

  /** Remembers the mark if the digits prove it. Does not check for contradictions. */
  learn(digits: string): void {
    this.mark ??= markOf(digits);
  }

  /** The decimal without sign; null if the digits are not a decimal. */
  read(digits: string, line: number): string | null {
    this.learn(digits);
    if (!/[.,]/.test(digits)) return decimalOf(false, digits, '');
    if (!this.mark) throw ambiguous(line, 'has an amount with one point or comma that can be a thousands or a decimal separator');
    const [whole = '', fraction = '', ...more] = digits.split(this.mark);
    const grouping = this.mark === '.' ? ',' : '.';
    const isGrouped = /^\d{1,3}([.,]\d{2,3})*[.,]\d{3}$/.test(whole);
    const contradicts = markOf(digits) !== null && markOf(digits) !== this.mark;
    if (contradicts) throw ambiguous(line, 'has an amount with another decimal separator than the lines before it');
    if (more.length > 0 || fraction.includes(grouping) || (whole.includes(grouping) && !isGrouped)) return null;
    return decimalOf(false, whole.replaceAll(grouping, ''), fraction);
  }
}

/** The mark that the digits prove; null if they are ambiguous. */
function markOf(digits: string): string | null {
  const marks: readonly string[] = digits.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (!last) return null;
  const [whole = '', fraction = ''] = digits.split(last);
  const other = last === '.' ? ',' : '.';
  if (marks.includes(other)) return last;
  // A repeated separator separates thousands.
  if (marks.length > 1) return other;
  return fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole) ? null : last;
}

export const ambiguous = (line: number, what: string): JobFailure => new JobFailure('ambiguous_amount', `Line ${line} ${what}.`);
