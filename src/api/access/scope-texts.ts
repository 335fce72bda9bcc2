import { isAtLeast, type UserRole } from '../../kernel/roles.js';
import type { Registry } from '../operation/registry.js';

export interface ScopeText {
  readonly scope: string;
  readonly sentence: string;
  readonly isWrite: boolean;
  /** The least role that may do something with it. */
  readonly role: UserRole;
}

const AND = new Intl.ListFormat('en');

/** Made from the summaries of the operations that need each scope. */
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
