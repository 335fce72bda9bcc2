/** How many records of a kind an organization may have in one environment; members: in all. */
export const DEFAULT_RECORD_LIMITS = {
  expenseCategories: 10_000,
  reportConfigurations: 10_000,
  bankStatements: 100_000,
  apiKeys: 200,
  applications: 100,
  webhooks: 50,
  members: 1000,
} as const satisfies Record<string, number>;

export type RecordLimit = keyof typeof DEFAULT_RECORD_LIMITS;
export type RecordLimits = Readonly<Record<RecordLimit, number>>;

const NAMES = Object.keys(DEFAULT_RECORD_LIMITS);

/** The value of the RECORD_LIMITS setting, merged into the defaults. */
export function mergeRecordLimits(value: unknown): RecordLimits {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object of numbers');
  for (const [name, limit] of Object.entries(value)) {
    if (!NAMES.includes(name)) throw new Error(`names "${name}", which is not one of ${NAMES.join(', ')}`);
    if (!Number.isSafeInteger(limit) || limit < 1) throw new Error(`must have a whole number from 1 for "${name}"`);
  }
  return { ...DEFAULT_RECORD_LIMITS, ...value };
}
