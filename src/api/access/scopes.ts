import { isAtLeast, type UserRole } from '../../kernel/roles.js';
import type { Registry } from '../operation/registry.js';
import { isWordingKey } from '../wording/catalogues.js';
import type { Wording } from '../wording/wording.js';

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

export interface ScopeText {
  readonly scope: string;
  readonly sentence: string;
  readonly isWrite: boolean;
  /** The least role that may do something with it. */
  readonly role: UserRole;
}

const AND = new Intl.ListFormat('en');

export function scopeTexts({ operations }: Pick<Registry, 'operations'>, scopes: readonly string[]): ScopeText[] {
  return scopes.map((scope) => {
    const needing = operations.filter((operation) => operation.scope === scope);
    const role = needing
      .map((operation) => operation.role ?? 'member')
      .reduce((least, one) => (isAtLeast(least, one) ? one : least), 'owner');
    return { scope, sentence: sentenceOf(needing.map(({ summary }) => summary)), isWrite: needing.some(({ isWrite }) => isWrite), role };
  });
}

/** "Create a project" and "Update a project" become "Create and update a project". */
function sentenceOf(summaries: readonly string[]): string {
  const verbs = new Map<string, string[]>();
  for (const summary of summaries) {
    const [verb = '', ...object] = summary.split(' ');
    const key = object.join(' ');
    verbs.set(key, [...(verbs.get(key) ?? []), plainVerb(verb.toLowerCase())]);
  }
  const sentence = AND.format([...verbs].map(([object, all]) => `${AND.format(all)} ${object}`));
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

/** "Get" is a word for programs. The page says "see". */
const plainVerb = (verb: string): string => (verb === 'get' ? 'see' : verb);
