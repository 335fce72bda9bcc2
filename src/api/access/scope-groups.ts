import type { Registry } from '../operation/registry.js';
import { scopeTexts, type ScopeText } from './scope-texts.js';

/** What a credential may do with one kind of record. */
export interface ScopeGroup {
  readonly title: string;
  readonly scopes: readonly ScopeText[];
}

/** Scopes by their resource, in the order of the registry. Reading comes before changing. */
export function scopeGroups(registry: Pick<Registry, 'operations' | 'scopes'>, scopes: readonly string[]): ScopeGroup[] {
  const groups = new Map<string, ScopeText[]>();
  const ordered = [...scopes].sort((a, b) => registry.scopes.indexOf(a) - registry.scopes.indexOf(b));
  for (const text of scopeTexts(registry, ordered)) {
    const resource = text.scope.split(':')[0]!;
    groups.set(resource, [...(groups.get(resource) ?? []), text]);
  }
  return [...groups].map(([resource, texts]) => ({
    title: titleOf(resource),
    scopes: [...texts.filter(({ isWrite }) => !isWrite), ...texts.filter(({ isWrite }) => isWrite)],
  }));
}

/** "claim_projects" becomes "Claim projects". */
function titleOf(resource: string): string {
  const words = resource.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
