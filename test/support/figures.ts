import { appendFileSync } from 'node:fs';

/** What a fault cost those who called meanwhile: a row of the table that `npm run faults` prints. */
export interface Figures {
  readonly fault: string;
  readonly calls: number;
  /** Calls that were not answered with success at once. */
  readonly failed: number;
  /** What was acknowledged and is not there. */
  readonly lost: number;
  /** What is there more than once. */
  readonly doubled: number;
  /** Deliveries that were sent more than once, with the same id. */
  readonly sentAgain?: number;
  /** From the end of the fault, or where it says so from the moment when another server leads; undefined if writes never stopped. */
  readonly firstWriteMs?: number;
  /** The longest time without an acknowledged write. */
  readonly longestPauseMs?: number;
}

/** Adds a row to the table, if one is being made. */
export function report(figures: Figures): void {
  const file = process.env.TEST_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}
