import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import type { StatementBalance, StatementLine } from './statement-line.js';

/** A line as its format gives it: not yet numbered, its texts not yet tidied. */
export type LineDraft = Omit<StatementLine, 'lineNumber'>;

/** What each format makes of a text. */
export interface DraftReading {
  readonly lines: AsyncIterable<readonly LineDraft[]>;
  /** Known once all lines were read. */
  readonly balances: () => readonly StatementBalance[];
  readonly period: () => Period | null;
}

export interface Period {
  readonly start: string;
  readonly end: string;
}

export const MAX_TEXT_LENGTH = 1000;
/** Far more of a text than is kept, since blanks are taken out of it: longer ones need not be looked through. */
const MAX_TEXT_READ = 4 * MAX_TEXT_LENGTH;

/** A text that can be stored and shown: no control characters, no halves of characters, no runs of blanks, no novels. */
export function tidy(text: string): string {
  const plain = text
    .slice(0, MAX_TEXT_READ)
    .replace(/[\0\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  // The cut may leave half a character.
  return plain
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/\p{Cs}/gu, '')
    .trim();
}

const tidyOrNull = (text: string | null): string | null => (text === null ? null : tidy(text) || null);

/** The same account is the same text, however its bank groups the digits of an IBAN. */
export function tidyAccount(text: string | null): string | null {
  const plain = tidyOrNull(text);
  const compact = plain && electronicFormatIBAN(plain);
  return compact && isValidIBAN(compact) ? compact : plain;
}

export const finishLine = (draft: LineDraft, lineNumber: number): StatementLine => ({
  lineNumber,
  account: tidyAccount(draft.account),
  bookedOn: draft.bookedOn,
  amount: draft.amount,
  currency: draft.currency,
  description: tidy(draft.description),
  counterparty: tidyOrNull(draft.counterparty),
  counterpartyAccount: tidyAccount(draft.counterpartyAccount),
  counterpartyAddress: tidyOrNull(draft.counterpartyAddress),
  reference: tidyOrNull(draft.reference),
  bankReference: tidyOrNull(draft.bankReference),
});

/** The period from the first day of all to the last. */
export function widened(period: Period | null, start: string, end: string): Period {
  if (!period) return start <= end ? { start, end } : { start: end, end: start };
  return { start: start < period.start ? start : period.start, end: end > period.end ? end : period.end };
}

/** Three letters as ISO 4217 has them; null for all else. */
export function currencyOf(text: string | null | undefined): string | null {
  const code = text?.trim().toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) ? code : null;
}
