import { JobFailure } from '../../../kernel/failure.js';
import type { StatementLine } from '../formats/statement-line.js';

type Kept = 'lineNumber' | 'bookedOn' | 'amount' | 'currency' | 'description' | 'counterparty' | 'counterpartyAccount' | 'reference';

/** A line without personal data: what is stored, and what reports are made from. */
export interface RedactedLine extends Pick<StatementLine, Kept> {
  /** Token of the statement's own account with its last four characters; null if the file does not name one. */
  readonly account: string | null;
  /** Equal for lines of the same booking, also across statements: 32 hex digits. */
  readonly fingerprint: string;
}

export const residualDataFailure = (lineNumber: number, kind: string, field: string): JobFailure =>
  new JobFailure('RESIDUAL_PII', `Line ${lineNumber}: the ${field} still contains personal data (${kind}).`);
