import { isUuid } from './ids.js';
import { isObject } from './json.js';

export interface Tier {
  readonly perMinute: number;
  readonly burst: number;
}

/** The plans of the product, from the least to the most. Operations require one of these. */
export type StandardPlan = 'starter' | 'growth' | 'enterprise';
export const PLANS = ['starter', 'growth', 'enterprise'] as const satisfies readonly StandardPlan[];

/** The plan of an organization: one of the product, or one that the setting PLANS adds. */
export type Plan = string;

/** Tiers by plan. A further key may be an organization's id: its tier overrides that of its plan. */
export type Tiers = Readonly<Record<string, Tier>>;

export const DEFAULT_TIERS: Tiers = {
  starter: { perMinute: 120, burst: 40 },
  growth: { perMinute: 600, burst: 200 },
  enterprise: { perMinute: 3000, burst: 1000 },
};

/** A plan that the operator adds. Without a tier, it has that of the plan that it is like. */
interface FurtherPlan {
  readonly like: StandardPlan;
  readonly tier: Tier | undefined;
}

const MAX_FURTHER = 20;
/** Shorter than an organization's id, which has a tier as well. */
const NAME = /^[a-z][a-z0-9-]{0,29}$/;

export class Plans {
  private readonly further: ReadonlyMap<string, FurtherPlan>;
  /** The names, those of the product first. */
  readonly names: readonly Plan[];

  constructor(further: Iterable<readonly [string, FurtherPlan]> = []) {
    this.further = new Map(further);
    this.names = [...PLANS, ...this.further.keys()];
  }

  /** A name that nobody declares is the least plan: a process may not know yet what another one was told. */
  standardOf(plan: Plan): StandardPlan {
    return PLANS.find((name) => name === plan) ?? this.further.get(plan)?.like ?? PLANS[0];
  }

  includes(plan: Plan, required: StandardPlan): boolean {
    return PLANS.indexOf(this.standardOf(plan)) >= PLANS.indexOf(required);
  }

  including(required: StandardPlan): Plan[] {
    return this.names.filter((name) => this.includes(name, required));
  }

  tiers(given: Tiers): Tiers {
    return { ...given, ...Object.fromEntries([...this.further].map(([name, { like, tier }]) => [name, tier ?? given[like]!])) };
  }
}

export const STANDARD_PLANS = new Plans();

export function readPlans(value: unknown): Plans {
  if (!isObject(value)) throw new Error('must be a JSON object of plans');
  const entries = Object.entries(value);
  if (entries.length > MAX_FURTHER) throw new Error(`must have at most ${MAX_FURTHER} plans`);
  return new Plans(entries.map(([name, plan]) => [name, furtherPlan(name, plan)] as const));
}

function furtherPlan(name: string, value: unknown): FurtherPlan {
  if (!NAME.test(name)) throw new Error(`names "${name.slice(0, 40)}": a name has 1 to 30 of a-z, 0-9 and -, and begins with a letter`);
  if (PLANS.some((plan) => plan === name)) throw new Error(`names "${name}", which is a plan already: RATE_LIMITS changes its tier`);
  const { like, perMinute, burst, ...others } = isObject(value) ? value : {};
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`holds "${unknown.slice(0, 40)}" for "${name}": like, perMinute and burst are known`);
  const standard = PLANS.find((plan) => plan === like);
  if (standard === undefined) throw new Error(`must say which plan "${name}" is like: ${PLANS.join(', ')}`);
  const hasTier = perMinute !== undefined || burst !== undefined;
  const tier = { perMinute, burst };
  if (hasTier && !isTier(tier))
    throw new Error(`holds a bad tier "${name}": perMinute and burst must both be 1 or more, or both be left out`);
  return { like: standard, tier: hasTier ? (tier as Tier) : undefined };
}

export function mergeTiers(value: unknown): Tiers {
  if (!isObject(value)) throw new Error('must be a JSON object of tiers');
  for (const [name, tier] of Object.entries(value)) {
    if (!Object.hasOwn(DEFAULT_TIERS, name) && !isUuid(name))
      throw new Error(
        `names "${name}", which is neither a plan (${PLANS.join(', ')}; PLANS has the tiers of others) nor an organization's id`,
      );
    if (!isTier(tier)) throw new Error(`holds a bad tier "${name}": {"perMinute": 1 or more, "burst": 1 or more} is expected`);
  }
  const named = Object.entries(value as Record<string, Tier>).map(([name, tier]) => [name.toLowerCase(), tier] as const);
  return { ...DEFAULT_TIERS, ...Object.fromEntries(named) };
}

export function isTier(value: unknown): value is Tier {
  const tier = value as Partial<Tier> | null;
  return [tier?.perMinute, tier?.burst].every((number) => Number.isSafeInteger(number) && number! >= 1);
}

/** A plan that nobody declares has the tier of the least one. */
export function tierOf(tiers: Tiers, { id, plan }: { id: string; plan: Plan }): Tier {
  return tiers[id] ?? (Object.hasOwn(tiers, plan) ? tiers[plan]! : tiers[PLANS[0]]!);
}
