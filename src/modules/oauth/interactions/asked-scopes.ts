import type { Interaction, Provider } from 'oidc-provider';

type Grant = InstanceType<Provider['Grant']>;
type ByResource = Readonly<Record<string, readonly string[]>>;

/** What a user decides about on the consent page. */
export interface AskedScopes {
  /** By resource. */
  readonly scopes: ByResource;
  /** Those of them that the user left out before. */
  readonly leftOut: readonly string[];
  /** The user has decided about all of them before. */
  readonly isRepeated: boolean;
}

const listOf = (scope: string): string[] => scope.split(' ').filter(Boolean);

/**
 * The scopes that are new. If the application asks for a consent (`prompt=consent`), also those that were decided before.
 * `resources`: those that the request names, or the default.
 */
export function askedScopes({ prompt, params }: Interaction, grant: Grant | undefined, resources: readonly string[]): AskedScopes {
  const missing = (prompt.details.missingResourceScopes ?? {}) as ByResource;
  if (!grant || !prompt.reasons.includes('consent_prompt')) return { scopes: missing, leftOut: [], isRepeated: false };
  const requested = typeof params.scope === 'string' ? listOf(params.scope) : [];
  const scopes = resources.map((resource) => {
    const decided = listOf(grant.getResourceScopeEncountered(resource));
    return [resource, requested.filter((scope) => decided.includes(scope) || missing[resource]?.includes(scope))] as const;
  });
  return {
    scopes: Object.fromEntries(scopes),
    leftOut: resources.flatMap((resource) => listOf(grant.getRejectedResourceScope(resource))),
    isRepeated: Object.keys(missing).length === 0,
  };
}

/**
 * The grant after a decision. What was decided before is changed by a grant that replaces the earlier one, whose refresh tokens end.
 */
export async function decide(
  made: () => Grant,
  earlier: Grant | undefined,
  scopes: ByResource,
  chosen: ReadonlySet<string>,
): Promise<Grant> {
  const isChanged = Object.entries(scopes).some(([resource, names]) => {
    const [given, leftOut] = [earlier?.getResourceScope(resource) ?? '', earlier?.getRejectedResourceScope(resource) ?? ''].map(listOf);
    return names.some((name) => (chosen.has(name) ? leftOut : given)!.includes(name));
  });
  const grant = earlier && !isChanged ? earlier : made();
  for (const [resource, names] of Object.entries(scopes)) {
    const kept = isChanged ? listOf(earlier!.getResourceScope(resource)).filter((name) => !names.includes(name)) : [];
    const given = [...kept, ...names.filter((name) => chosen.has(name))];
    const leftOut = names.filter((name) => !chosen.has(name));
    if (given.length > 0) grant.addResourceScope(resource, given.join(' '));
    if (leftOut.length > 0) grant.rejectResourceScope(resource, leftOut.join(' '));
  }
  if (earlier && isChanged) await earlier.destroy();
  return grant;
}
