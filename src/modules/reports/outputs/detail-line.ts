/** A line of a statement with what became of it, as the files show it. Amounts are exact decimals as text. */
export interface DetailLine {
  readonly statementId: string;
  readonly lineNumber: number;
  readonly bookedOn: string;
  readonly account: string | null;
  readonly counterparty: string | null;
  readonly description: string;
  readonly reference: string | null;
  /** Negative when money went out. */
  readonly amount: string;
  readonly currency: string | null;
  /** Code of the category that claims it. */
  readonly category: string | null;
  readonly rule: string | null;
  readonly claimablePercent: string | null;
  /** Before rounding: a report rounds once for each category and month. */
  readonly claimable: string | null;
}
