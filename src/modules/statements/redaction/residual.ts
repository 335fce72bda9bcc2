import { StatementFailure } from '../statement-failure.js';

/** Fails the statement: what is kept of it may not hold what a detector finds. */
export const residual = (lineNumber: number, kind: string, field: string): StatementFailure =>
  new StatementFailure('RESIDUAL_PII', `Line ${lineNumber}: personal data of the kind ${kind} is left in the ${field}.`);
