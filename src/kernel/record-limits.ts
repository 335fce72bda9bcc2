import { mergeLimits } from './merge-limits.js';

/** How many records of a kind an organization may have in one environment; members: in all. */
export const DEFAULT_RECORD_LIMITS = {
  expenseCategories: 10_000,
  reportConfigurations: 10_000,
  bankStatements: 100_000,
  claimItems: 100_000,
  receipts: 100_000,
  apiKeys: 200,
  applications: 100,
  webhooks: 50,
  members: 1000,
} as const satisfies Record<string, number>;

export type RecordLimit = keyof typeof DEFAULT_RECORD_LIMITS;
export type RecordLimits = Readonly<Record<RecordLimit, number>>;

export const mergeRecordLimits = (value: unknown): RecordLimits =>
  mergeLimits<RecordLimits>(DEFAULT_RECORD_LIMITS, value, 'numbers', (name, limit) =>
    Number.isSafeInteger(limit) && (limit as number) >= 1 ? undefined : `must have a whole number from 1 for "${name}"`,
  );
