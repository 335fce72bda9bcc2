import { JobFailure } from '../../../kernel/failure.js';
import type { ReportLimits } from '../../../kernel/report-limits.js';
import type { Computed } from '../result.dto.js';
import type { RunCategory } from './inputs.js';

/** What the limits bound, each with its own code. `measured` and `limit` are in the same unit. */
export function requireWithin(limit: number, measured: number, code: string, subject: string, advice: string): void {
  if (measured > limit) throw new JobFailure(code, `${subject}: ${measured}, at most ${limit}. ${advice}`);
}

/** Compiling patterns takes most of the time of a run that has many. To be called before the rules are read. */
export function requireFewPatterns(categories: readonly RunCategory[], { rulesWithPatterns }: ReportLimits): void {
  const count = categories.reduce((sum, { sourceMapping }) => sum + listOf(sourceMapping.rules).filter(hasPattern).length, 0);
  requireWithin(rulesWithPatterns, count, 'too_many_patterns', 'Rules with patterns (matches)', 'Use fewer categories, or contains.');
}

/** Returned by every call of the run, and sent with its event. */
export function requireSmallResult(computed: Computed, { resultBytes }: ReportLimits): void {
  const bytes = Buffer.byteLength(JSON.stringify(computed));
  requireWithin(resultBytes, bytes, 'result_too_large', 'Bytes of the result', 'Report fewer categories or a shorter period.');
}

// The rules are not validated yet, so they may be anything.
function hasPattern(rule: unknown): boolean {
  const { all, any, none } = (rule ?? {}) as Readonly<Record<string, unknown>>;
  return [all, any, none].flatMap(listOf).some((condition) => (condition as { op?: unknown } | null)?.op === 'matches');
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
