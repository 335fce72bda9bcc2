import type { Environment } from './context.js';

/** Who decides about a change that a model wants to make by a tool. */
export const CONFIRMATION_RULES = ['model', 'person', 'two_people', 'never'] as const;
export type ConfirmationRule = (typeof CONFIRMATION_RULES)[number];
export const CONFIRMED_RISKS = ['write', 'destructive'] as const;
export type ConfirmedRisk = (typeof CONFIRMED_RISKS)[number];

/** What is left out has the rule of the organization, or the default. */
export type RulesByRisk = { readonly [Name in ConfirmedRisk]?: ConfirmationRule };
export type ConfirmationRules = { readonly [Name in Environment]?: RulesByRisk };

export const DEFAULT_RULES = {
  test: { write: 'model', destructive: 'model' },
  live: { write: 'model', destructive: 'person' },
} as const satisfies ConfirmationRules;

interface Ruled {
  readonly environment: Environment;
  readonly organization: { readonly confirmations?: ConfirmationRules | null };
  readonly application: { readonly confirmations?: RulesByRisk | null } | null;
}

export function ruleOf({ environment, organization: { confirmations }, application }: Ruled, risk: ConfirmedRisk): ConfirmationRule {
  const own = application?.confirmations?.[risk];
  if (own) return own;
  // A credential of an extension that does not say what its organization wants.
  if (confirmations === undefined) return 'person';
  return confirmations?.[environment]?.[risk] ?? DEFAULT_RULES[environment][risk];
}
