import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import type { UsedLayout } from './csv/layouts/written-layout.js';
import type { ReadColumn, ReadingWarning, StatementBalance, StatementLine } from './statement-line.js';

/** A line as its format reader returns it: without number, its texts not yet cleaned up. */
export type LineDraft = Omit<StatementLine, 'lineNumber'>;

/** What a format reader returns. */
export interface DraftReading {
  readonly lines: AsyncIterable<readonly LineDraft[]>;
  /** Complete after all lines were read. */
  readonly balances: () => readonly StatementBalance[];
  readonly period: () => Period | null;
  /** Of a table. */
  readonly columns?: readonly ReadColumn[];
  /** By which a table is read; absent if its columns were recognised. */
  readonly layout?: UsedLayout;
  /** Complete after all lines were read. A reader that proves all it reads has none. */
  readonly warnings?: () => readonly ReadingWarning[];
}

export interface Period {
  readonly start: string;
  readonly end: string;
}

export const MAX_TEXT_LENGTH = 1000;
/** How much of a text is cleaned up: more than `MAX_TEXT_LENGTH`, since blanks are removed. */
const MAX_TEXT_READ = 4 * MAX_TEXT_LENGTH;

/** A text that can be stored and shown: no control characters, lone surrogates or runs of blanks, and a limited length. */
export function tidy(text: string): string {
  const plain = text
    .slice(0, MAX_TEXT_READ)
    .replace(/[\0\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  // The cut may leave a lone surrogate.
  return plain
    .slice(0, MAX_TEXT_LENGTH)
    .replace(/\p{Cs}/gu, '')
    .trim();
}

const tidyOrNull = (text: string | null): string | null => (text === null ? null : tidy(text) || null);

/** Removes the grouping of an IBAN, so that equal accounts are equal texts. */
export function tidyAccount(text: string | null): string | null {
  const plain = tidyOrNull(text);
  const compact = plain && electronicFormatIBAN(plain);
  return compact && isValidIBAN(compact) ? compact : plain;
}

export const finishLine = (draft: LineDraft, lineNumber: number): StatementLine => ({
  lineNumber,
  account: tidyAccount(draft.account),
  owner: draft.owner && tidy(draft.owner),
  bookedOn: draft.bookedOn,
  amount: draft.amount,
  currency: draft.currency,
  description: tidy(draft.description),
  counterparty: tidyOrNull(draft.counterparty),
  counterpartyAccount: tidyAccount(draft.counterpartyAccount),
  counterpartyAddress: tidyOrNull(draft.counterpartyAddress),
  isCardPayment: draft.isCardPayment,
  reference: tidyOrNull(draft.reference),
  bankReference: tidyOrNull(draft.bankReference),
});

/** Extends a period so that it includes both days. */
export function widened(period: Period | null, start: string, end: string): Period {
  if (!period) return start <= end ? { start, end } : { start: end, end: start };
  return { start: start < period.start ? start : period.start, end: end > period.end ? end : period.end };
}

/** A code of three letters; null for any other text. */
export function currencyOf(text: string | null | undefined): string | null {
  const code = text?.trim().toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) ? code : null;
}
