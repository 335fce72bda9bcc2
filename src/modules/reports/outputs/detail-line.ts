/** A line of a statement with its claim, as the files show it. Amounts are exact decimals as text. */
export interface DetailLine {
  readonly statementId: string;
  readonly lineNumber: number;
  readonly bookedOn: string;
  readonly account: string | null;
  readonly counterparty: string | null;
  readonly description: string;
  readonly reference: string | null;
  /** Negative for money out. */
  readonly amount: string;
  readonly currency: string | null;
  /** Code of the category that claims the line. */
  readonly category: string | null;
  readonly rule: string | null;
  readonly claimablePercent: string | null;
  /** Not rounded: a report rounds once per category and month. */
  readonly claimable: string | null;
}
