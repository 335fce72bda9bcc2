import { Readable } from 'node:stream';
import { JobFailure, type Failure } from '../../../kernel/failure.js';
import { type AccountSum, AccountSums } from './line-checks.js';
import type { ReadingOptions } from './statement-reader.js';
import { readStatement } from './read-statement.js';
import { type Certainty, type Period, type ReadingWarning, type StatementLine, type StatementReading, widened } from './statement-line.js';

const FIRST_LINES = 5;

/** How a file is read. Unlike everything that is stored, it has the content of lines as the bank wrote it. */
export interface CheckedStatement extends Pick<StatementReading, 'format' | 'columns' | 'layout'> {
  readonly lines: number;
  readonly period: Period | null;
  readonly accounts: readonly AccountSum[];
  readonly warnings: readonly ReadingWarning[];
  readonly certainty: Certainty;
  readonly firstLines: readonly StatementLine[];
}

/** Reads a file as an import would, and stores nothing. */
export async function checkStatement(
  file: Uint8Array,
  fileName: string,
  options: ReadingOptions,
): Promise<CheckedStatement | { readonly failure: Failure }> {
  try {
    return await checked(await readStatement(Readable.from([file]), fileName, options));
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return { failure: { code: error.code, message: error.message } };
  }
}

async function checked(reading: StatementReading): Promise<CheckedStatement> {
  const sums = new AccountSums();
  const firstLines: StatementLine[] = [];
  let [lines, days]: [number, Period | null] = [0, null];
  for await (const batch of reading.lines) {
    lines += batch.length;
    firstLines.push(...batch.slice(0, FIRST_LINES - firstLines.length));
    for (const line of batch) {
      sums.add(line);
      days = widened(days, line.bookedOn, line.bookedOn);
    }
  }
  return {
    format: reading.format,
    lines,
    period: reading.period() ?? days,
    columns: reading.columns,
    layout: reading.layout,
    accounts: sums.with(reading.balances()),
    warnings: reading.warnings(),
    certainty: reading.certainty(),
    firstLines,
  };
}
