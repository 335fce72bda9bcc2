import { JobFailure } from '../../../../kernel/failure.js';
import { isZero, negated, sumOf } from '../amounts.js';
import { writtenAmount, type DecimalMark, type WrittenAmount } from '../csv/written-amount.js';
import { writtenDate, type WrittenDate } from '../csv/written-date.js';
import type { LineDraft } from '../line-draft.js';
import type { DatedLine } from '../waiting-lines.js';
import type { QifField } from './records.js';

/** A booking whose date and amounts are not interpreted yet. */
export interface WrittenTransaction extends DatedLine {
  readonly line: number;
  readonly amount: WrittenAmount;
  readonly splits: readonly WrittenAmount[];
  readonly texts: Pick<LineDraft, 'description' | 'counterparty' | 'counterpartyAddress' | 'reference'>;
  readonly category: string | null;
}

/** `C` says whether the booking was reconciled; `F`, `%` and `X` belong to splits and invoices. */
export const KNOWN_LETTERS = new Set('DTUMCNPALSE$F%X');

export function transactionOf(fields: readonly QifField[], line: number): WrittenTransaction {
  const allOf = (letter: string): string[] => fields.filter((field) => field.letter === letter).map(({ text }) => text);
  const textOf = (letter: string): string | null => allOf(letter).filter(Boolean).join(' ') || null;
  const amounts = [...allOf('T'), ...allOf('U')].map((text) => amountOf(text, line));
  const [amount] = amounts;
  if (!amount) throw new JobFailure('invalid_amount', `The booking from line ${line} has no amount (T).`);
  if (amounts.some(({ sign, digits }) => sign !== amount.sign || digits !== amount.digits))
    throw new JobFailure('invalid_amount', `The booking from line ${line} has two different amounts (T, U).`);
  const dates = allOf('D');
  const date = dates.length === 1 ? dateOf(dates[0]!) : null;
  if (!date) throw new JobFailure('invalid_date', `The booking from line ${line} has no valid date (D).`);
  const counterparty = textOf('P');
  const category = textOf('L');
  // Programs repeat the text of a booking at its splits.
  const said = [...new Set([...allOf('M'), ...allOf('E')])].filter(Boolean).join(' ');
  return {
    place: `The booking from line ${line}`,
    line,
    date,
    amount,
    splits: allOf('$').map((text) => amountOf(text, line)),
    texts: {
      description: said || (counterparty ?? category ?? ''),
      counterparty,
      counterpartyAddress: allOf('A').filter(Boolean).join(', ') || null,
      reference: textOf('N'),
    },
    category,
  };
}

/**
 * Years are written `1/31/2026`, `1/31/26`, or `1/31'26` from 2000 on; with blanks instead of zeros. Old files have years of the
 * 20th century with two digits.
 */
function dateOf(text: string): WrittenDate | null {
  const compact = text.replace(/\s/g, '');
  const [, day, separator, mark, year] = /^(\d{1,2}([-/.])\d{1,2})(['/.-])(\d{1,2})$/.exec(compact) ?? [];
  if (day === undefined || separator === undefined || year === undefined) return writtenDate(compact.replace("'", '/'));
  const isOld = mark !== "'" && Number(year) >= OLDEST_SHORT_YEAR;
  return writtenDate(`${day}${separator}${isOld ? 19 : 20}${year.padStart(2, '0')}`);
}

/** There are no files from before 1980. */
const OLDEST_SHORT_YEAR = 80;

function amountOf(text: string, line: number): WrittenAmount {
  const amount = writtenAmount(text);
  if (!amount || amount.mark) throw new JobFailure('invalid_amount', `The booking from line ${line} has an amount that is not a number.`);
  return amount;
}

/** The amount, which its splits have to make. */
export function bookedAmountOf({ amount, splits, line }: WrittenTransaction, decimals: DecimalMark): string {
  const valueOf = ({ digits, sign }: WrittenAmount): string => {
    const value = decimals.read(digits, line);
    if (!value) throw new JobFailure('invalid_amount', `The booking from line ${line} has an amount that is not a number.`);
    return sign === '-' ? negated(value) : value;
  };
  const booked = valueOf(amount);
  if (splits.length === 0) return booked;
  const rest = sumOf([negated(booked), ...splits.map(valueOf)]);
  if (rest === null || !isZero(rest))
    throw new JobFailure('splits_do_not_tie', `The splits of the booking from line ${line} do not make its amount.`);
  return booked;
}
