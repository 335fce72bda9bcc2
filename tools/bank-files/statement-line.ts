import { electronicFormatIBAN, isValidIBAN } from 'ibantools';

/** A line as the bank wrote it. It is private until it is redacted: no log, error or response may contain any of it. */
export interface StatementLine {
  /** Position among the lines of the file, from 1. */
  readonly lineNumber: number;
  /** The account of the statement: IBAN, or as the bank writes it; null if the file does not name one. */
  readonly account: string | null;
  /** The name of the account's owner, if the file states it. */
  readonly owner?: string | null;
  readonly bookedOn: string;
  /** An exact decimal with a point, such as `-12.50`; negative for money out. */
  readonly amount: string;
  /** ISO 4217; null if the file does not name one. */
  readonly currency: string | null;
  readonly description: string;
  /** Name of the other party, if the file has a field for it. */
  readonly counterparty: string | null;
  readonly counterpartyAccount: string | null;
  readonly counterpartyAddress: string | null;
  /** Texts of columns that nothing is known of, as they are in the description. They may be names of people. */
  readonly unnamed?: readonly string[];
  /** Whether the file says that it was paid by card. Left out if it says nothing. */
  readonly isCardPayment?: boolean;
  /** The payer's or payee's reference: end-to-end id, cheque number, invoice. */
  readonly reference: string | null;
  /** The bank's id of the line, unique within the account. */
  readonly bankReference: string | null;
}

export interface Period {
  readonly start: string;
  readonly end: string;
}

/** Opening and closing balance of an account, as the bank states them. */
export interface StatementBalance {
  readonly account: string | null;
  readonly currency: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
  /** The days between them, if the file states them for each account. */
  readonly period?: Period;
}

/** What people should look at before they rely on a statement that was read. Says nothing of the content of a line but where it is. */
export interface ReadingWarning {
  readonly code: string;
  readonly message: string;
}

/** A line as its format reader returns it: without number, its texts not yet cleaned up. */
export interface LineDraft extends Omit<StatementLine, 'lineNumber'> {
  /** Of the account after the booking, if its row states it. */
  readonly balance?: string | null;
}

/** Of a line whose file says nothing of the other party. */
export const NO_PARTY = { counterparty: null, counterpartyAccount: null, counterpartyAddress: null } as const;

/** What the readers of this package return. */
export interface BankReading {
  readonly lines: AsyncIterable<readonly LineDraft[]>;
  /** Complete after all lines were read. */
  readonly balances: () => readonly StatementBalance[];
  readonly period: () => Period | null;
  /** Complete after all lines were read. */
  readonly warnings: () => readonly ReadingWarning[];
  /** Whether something else than the opening and closing balances proves the lines. Known after all lines were read. */
  readonly isProven: () => boolean;
}

/** Lines are yielded in batches, because each yield takes time. */
export const BATCH_LINES = 200;

/** What the statements of a file say of their accounts. */
export class FoundStatements {
  readonly balances: StatementBalance[] = [];
  period: Period | null = null;

  protected note(balance: StatementBalance): void {
    this.balances.push(balance);
    if (balance.period) this.period = widened(this.period, balance.period.start, balance.period.end);
  }
}

interface Reader<Item> extends Pick<FoundStatements, 'balances' | 'period'> {
  readonly warnings?: readonly ReadingWarning[];
  readonly isProven?: boolean;
  linesOf(items: AsyncIterable<Item>): BankReading['lines'];
}

/** The reading of a reader that finds the rest while its lines are read. */
export const readingBy = <Item>(reader: Reader<Item>, items: AsyncIterable<Item>): BankReading => ({
  lines: reader.linesOf(items),
  balances: () => reader.balances,
  period: () => reader.period,
  warnings: () => reader.warnings ?? [],
  isProven: () => reader.isProven ?? false,
});

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
  ...(draft.unnamed && { unnamed: draft.unnamed.map(tidy) }),
  isCardPayment: draft.isCardPayment,
  reference: tidyOrNull(draft.reference),
  bankReference: tidyOrNull(draft.bankReference),
});

/** Extends a period so that it includes both days. */
export function widened(period: Period | null, start: string, end: string): Period {
  if (!period) return start <= end ? { start, end } : { start: end, end: start };
  return { start: start < period.start ? start : period.start, end: end > period.end ? end : period.end };
}

/** What banks write where an id would be if they had one. */
const NO_ID = /^(?:0+|non[ -]?ref|not ?provided|n\/?a|none|null|-+)$/i;

/** An id that the bank has given; null if it only says that there is none, which many bookings of a file may. */
export const givenId = (text: string | null): string | null => (text === null || NO_ID.test(text.trim()) ? null : text);

/** A code of three letters; null for any other text. */
export function currencyOf(text: string | null | undefined): string | null {
  const code = text?.trim().toUpperCase() ?? '';
  return /^[A-Z]{3}$/.test(code) ? code : null;
}
