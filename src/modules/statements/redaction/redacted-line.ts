/** A line with everything taken out that tells of a person: what is kept, and what reports are made of. */
export interface RedactedLine {
  readonly lineNumber: number;
  /** A token of the own account with its last four characters; null where the file did not say. */
  readonly account: string | null;
  readonly bookedOn: string;
  readonly amount: string;
  readonly currency: string | null;
  readonly description: string;
  readonly counterparty: string | null;
  readonly counterpartyAccount: string | null;
  readonly reference: string | null;
  /** Equal for lines that are the same booking, also in another statement: 32 hex digits. */
  readonly fingerprint: string;
}
