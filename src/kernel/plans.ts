import { isUuid } from './ids.js';

/** A rate limit: a steady rate, and how many requests may come at once. */
export interface Tier {
  readonly perMinute: number;
  readonly burst: number;
}

export type Plan = 'starter' | 'growth' | 'enterprise';
export const PLANS = ['starter', 'growth', 'enterprise'] as const satisfies readonly Plan[];

/** Tiers by plan. A further key may be an organization's id: its tier overrides that of its plan. */
export type Tiers = Readonly<Record<string, Tier>>;

export const DEFAULT_TIERS: Tiers = {
  starter: { perMinute: 120, burst: 40 },
  growth: { perMinute: 600, burst: 200 },
  enterprise: { perMinute: 3000, burst: 1000 },
};

/** The value of the RATE_LIMITS setting, merged into the defaults. */
export function mergeTiers(value: unknown): Tiers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object of tiers');
  for (const [name, tier] of Object.entries(value)) {
    if (!Object.hasOwn(DEFAULT_TIERS, name) && !isUuid(name))
      throw new Error(`names "${name}", which is neither a plan (${PLANS.join(', ')}) nor an organization's id`);
    if (!isTier(tier)) throw new Error(`holds a bad tier "${name}": {"perMinute": 1 or more, "burst": 1 or more} is expected`);
  }
  const named = Object.entries(value as Record<string, Tier>).map(([name, tier]) => [name.toLowerCase(), tier] as const);
  return { ...DEFAULT_TIERS, ...Object.fromEntries(named) };
}

export function isTier(value: unknown): value is Tier {
  const tier = value as Partial<Tier> | null;
  return [tier?.perMinute, tier?.burst].every((number) => Number.isSafeInteger(number) && number! >= 1);
}

export function tierOf(tiers: Tiers, organization: { id: string; plan: Plan }): Tier {
  return tiers[organization.id] ?? tiers[organization.plan]!;
}
