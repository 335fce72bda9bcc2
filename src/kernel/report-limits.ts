import { mergeLimits } from './merge-limits.js';

const MIB = 1024 * 1024;

/** What a claim report run may use at most. A run that needs more fails with a code that names the limit. */
export interface ReportLimits {
  readonly rulesWithPatterns: number;
  /** Of the `sourceMapping` of all categories that take part, as JSON. */
  readonly rulesBytes: number;
  readonly statements: number;
  readonly lines: number;
  /** Of the result as JSON. */
  readonly resultBytes: number;
  /** Of each file. */
  readonly fileBytes: number;
}

export const DEFAULT_REPORT_LIMITS: ReportLimits = {
  rulesWithPatterns: 2000,
  rulesBytes: MIB,
  statements: 10_000,
  lines: 5_000_000,
  resultBytes: 8 * MIB,
  fileBytes: 64 * MIB,
};

export const MOST_FILE_BYTES = 256 * MIB;
/** Beyond these, a value would not fit into a column of the database or into a text of the process that reads it. */
const HIGHEST: Partial<ReportLimits> = { resultBytes: 128 * MIB, fileBytes: MOST_FILE_BYTES };

export const mergeReportLimits = (value: unknown): ReportLimits =>
  mergeLimits(DEFAULT_REPORT_LIMITS, value, 'limits', (name, limit) => {
    const highest = HIGHEST[name] ?? Number.MAX_SAFE_INTEGER;
    const isGood = Number.isSafeInteger(limit) && (limit as number) >= 1 && (limit as number) <= highest;
    return isGood ? undefined : `holds a bad limit "${name}": a whole number from 1 to ${highest} is expected`;
  });
