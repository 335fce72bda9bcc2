import { RE2JS } from 're2js';
import { JobFailure } from '../../../../kernel/failure.js';
import type { FreeForm } from '../../../../kernel/json.js';
import { foldText } from '../../../../kernel/text.js';
import { CATEGORY_FILTER, type Grammar } from '../../../rules/index.js';

/**
 * The parsed form of a stored document. Requests are checked by the same grammar, so only a document that was stored before a
 * release that made it stricter can fail the run. The message has the first place that is wrong, and never a value.
 */
export function parsed<T>(grammar: Grammar<T>, stored: unknown, { code, name }: { code: string; name: string }): T {
  const { parsed: value, findings } = grammar.read(stored);
  const [first] = findings;
  if (first) throw new JobFailure(code, `${name}${first.path} ${first.message}.`);
  return value!;
}

export type CategoryFilter = (category: { readonly code: string; readonly status: string }) => boolean;

export function readCategoryFilter(value: FreeForm): CategoryFilter {
  const { include, exclude, status } = parsed(CATEGORY_FILTER, value, { code: 'invalid_category_filter', name: 'categoryFilter' });
  const included = include === null ? () => true : anyOf(include);
  const excluded = anyOf(exclude);
  const statuses: readonly string[] = status;
  return (category) => {
    const code = foldText(category.code);
    return statuses.includes(category.status) && included(code) && !excluded(code);
  };
}

function anyOf(codes: readonly string[]): (foldedCode: string) => boolean {
  const patterns = codes.map((code) => {
    const parts = foldText(code).split(/\*+/);
    return RE2JS.compile(parts.map((part) => RE2JS.quote(part)).join('.*'), RE2JS.DOTALL);
  });
  return (code) => patterns.some((pattern) => pattern.testExact(code));
}
