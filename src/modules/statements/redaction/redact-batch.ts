import type { StatementLine } from '../../../../tools/bank-files/index.js';
import { type RedactedLine, ResidualData } from '../../../../tools/personal-data/index.js';
import { JobFailure } from '../../../kernel/failure.js';

/** Personal data that is left in a line fails the statement. */
export function redactBatch(batch: readonly StatementLine[], redact: (line: StatementLine) => RedactedLine): RedactedLine[] {
  try {
    return batch.map(redact);
  } catch (error) {
    throw error instanceof ResidualData ? new JobFailure(error.code, error.message) : error;
  }
}
