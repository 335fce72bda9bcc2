export const STATEMENT_FORMATS = ['csv', 'ofx', 'mt940', 'camt053'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** A line as its bank wrote it. It is not for anybody's eyes before it is redacted: no log, no error and no answer holds any of it. */
export interface StatementLine {
  /** Its place among the lines of the file, from 1 on. */
  readonly lineNumber: number;
  /** The account that the statement is of: IBAN, or as the bank writes it; null where the file does not say. */
  readonly account: string | null;
  /** When it was booked: a calendar date. */
  readonly bookedOn: string;
  /** An exact decimal with a point, such as `-12.50`; negative is money out. */
  readonly amount: string;
  /** ISO 4217; null where the file does not say. */
  readonly currency: string | null;
  readonly description: string;
  /** Name of the other party, where the file has a field of its own for it. */
  readonly counterparty: string | null;
  readonly counterpartyAccount: string | null;
  readonly counterpartyAddress: string | null;
  /** The payer's or payee's reference: end-to-end id, cheque number, invoice. */
  readonly reference: string | null;
  /** The bank's own id of the line, unique in the account. */
  readonly bankReference: string | null;
}

/** What the bank says stood on an account. */
export interface StatementBalance {
  readonly account: string | null;
  readonly currency: string | null;
  readonly opening: string | null;
  readonly closing: string | null;
}

/** A statement that is being read. */
export interface StatementReading {
  readonly format: StatementFormat;
  /** In the order of the file, some hundreds at a time. */
  readonly lines: AsyncIterable<readonly StatementLine[]>;
  /** Known once all lines were read. */
  readonly balances: () => readonly StatementBalance[];
  /** First and last day that the statement is of, where the file says so; else null: then the lines tell. */
  readonly period: () => { readonly start: string; readonly end: string } | null;
}
