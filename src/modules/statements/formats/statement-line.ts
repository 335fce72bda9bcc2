import type { UsedLayout } from './csv/layouts/written-layout.js';

export const STATEMENT_FORMATS = ['csv', 'ofx', 'mt940', 'mt942', 'camt052', 'camt053', 'camt054', 'qif', 'xlsx', 'pdf'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
/** The formats whose files are text. */
export type TextFormat = Exclude<StatementFormat, 'xlsx' | 'pdf'>;

/** A line as the bank wrote it. It is private until it is redacted: no log, error or response may contain any of it. */
export interface StatementLine {
  /** Position among the lines of the file, from 1. */
  readonly lineNumber: number;
  /** The account of the statement: IBAN, or as the bank writes it; null if the file does not name one. */
  readonly account: string | null;
  /** The name of the account's owner, if the file states it. */
  readonly owner?: string | null;
  /** Booking date. */
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
  /** Whether the file says that it was paid by card. Left out if it says nothing. */
  readonly isCardPayment?: boolean;
  /** The payer's or payee's reference: end-to-end id, cheque number, invoice. */
  readonly reference: string | null;
  /** The bank's id of the line, unique within the account. */
  readonly bankReference: string | null;
}

export interface StatedPeriod {
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
  readonly period?: StatedPeriod;
}

/** What people should look at before they rely on a statement that was read. Says nothing of the content of a line but where it is. */
export interface ReadingWarning {
  readonly code: string;
  readonly message: string;
}

/** A column of a table. */
export interface ReadColumn {
  /** From 1. */
  readonly column: number;
  /** As the header writes it; empty without a header. */
  readonly name: string;
  /** null if its cells are not used. */
  readonly readAs: string | null;
}

/** A statement while it is being read. */
export interface StatementReading {
  readonly format: StatementFormat;
  /** In the order of the file, in batches. */
  readonly lines: AsyncIterable<readonly StatementLine[]>;
  /** Complete after all lines were read. */
  readonly balances: () => readonly StatementBalance[];
  /** First and last day of the statement; null if the file does not state them. */
  readonly period: () => { readonly start: string; readonly end: string } | null;
  /** How the columns of a table are read; none for other files. */
  readonly columns: readonly ReadColumn[];
  /** The layout by which a table is read; null if its columns were recognised. */
  readonly layout: UsedLayout | null;
  /** Complete after all lines were read; at most `MAX_WARNINGS`. */
  readonly warnings: () => readonly ReadingWarning[];
}
