import { given, pick } from '../../kernel/changes.js';
import { Problem } from '../../kernel/problems.js';

/** What is set for one key or application, within the limit of its organization; null: not set. */
export interface OwnLimits {
  /** Percent of the rate of the organization, which it never exceeds, also when it calls alone. */
  readonly rateShare: number | null;
  /** Calls of a UTC day. */
  readonly dailyCalls: number | null;
  /** Writes by tools in 24 hours, of each connection: a key, or an application for one person. */
  readonly dailyWrites: number | null;
  /** Tokens that answers of tools have in 24 hours, of each connection. */
  readonly dailyTokens: number | null;
}

const A_DAY = { min: 1, max: 10_000_000 };
export const OWN_LIMITS = { rateShare: { min: 1, max: 100 }, dailyCalls: A_DAY, dailyWrites: A_DAY, dailyTokens: A_DAY } as const;
export const NO_LIMITS: OwnLimits = { rateShare: null, dailyCalls: null, dailyWrites: null, dailyTokens: null };
export type OwnLimit = keyof OwnLimits;
export const OWN_LIMIT_NAMES = Object.keys(OWN_LIMITS) as OwnLimit[];

export function requireValidLimits(limits: OwnLimits): void {
  for (const name of OWN_LIMIT_NAMES) {
    const [value, { min, max }] = [limits[name], OWN_LIMITS[name]];
    if (value === null || (Number.isInteger(value) && value >= min && value <= max)) continue;
    throw Problem.invalidField(name, 'out_of_range', `must be a whole number from ${min} to ${max}`);
  }
}

/** Undefined if nothing is set: such credentials cost nothing more. */
export const limitsOf = (limits: OwnLimits): OwnLimits | undefined =>
  OWN_LIMIT_NAMES.every((name) => limits[name] === null) ? undefined : pick(limits, OWN_LIMIT_NAMES);

/** Those that are wanted for a new credential. */
export const limitsWanted = (wanted: Partial<OwnLimits>): OwnLimits => ({ ...NO_LIMITS, ...given(pick(wanted, OWN_LIMIT_NAMES)) });
