import { RE2JS } from 're2js';
import type { FreeForm } from '../../../../kernel/json.js';
import { foldText } from '../../../../kernel/text.js';
import { CATEGORY_FILTER } from '../../../rules/index.js';
import { parsed } from './parsed.js';

/** Whether a category takes part in the run. */
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
