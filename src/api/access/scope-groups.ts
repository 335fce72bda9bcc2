import { isWordingKey } from '../wording/catalogues.js';
import type { Wording } from '../wording/wording.js';
import type { Registry } from '../operation/registry.js';
import { scopeTexts, type ScopeText } from './scope-texts.js';

/** What a credential may do with one kind of record. */
export interface ScopeGroup {
  readonly title: string;
  readonly scopes: readonly ScopeText[];
}

/** Scopes by their resource, in the order of the registry. Reading comes before changing. In English without a wording. */
export function scopeGroups(registry: Pick<Registry, 'operations' | 'scopes'>, scopes: readonly string[], wording?: Wording): ScopeGroup[] {
  const groups = new Map<string, ScopeText[]>();
  const ordered = [...scopes].sort((a, b) => registry.scopes.indexOf(a) - registry.scopes.indexOf(b));
  for (const text of scopeTexts(registry, ordered)) {
    const resource = text.scope.split(':')[0]!;
    groups.set(resource, [...(groups.get(resource) ?? []), inLanguage(text, wording)]);
  }
  return [...groups].map(([resource, texts]) => ({
    title: titleOf(resource, wording),
    scopes: [...texts.filter(({ isWrite }) => !isWrite), ...texts.filter(({ isWrite }) => isWrite)],
  }));
}

/** What extensions add is English in every language, unless they have declared a wording. */
function inLanguage(text: ScopeText, wording: Wording | undefined): ScopeText {
  const key = `scopes.to.${text.scope.replaceAll(':', '_')}`;
  return wording && isWordingKey(key) ? { ...text, sentence: wording.say(key) } : text;
}

/** "claim_projects" becomes "Claim projects". */
function titleOf(resource: string, wording: Wording | undefined): string {
  const key = `scopes.of.${resource}`;
  if (wording && isWordingKey(key)) return wording.say(key);
  const words = resource.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
