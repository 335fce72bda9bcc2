import { RE2JS } from 're2js';
import type { FreeForm } from '../../../../kernel/json.js';
import { foldText } from '../../../../kernel/text.js';
import { JsonField } from '../json-field.js';

const STATUSES = ['active', 'archived'] as const;
const MAX_PATTERN_LENGTH = 200;

/** Whether a category takes part in the run. */
export type CategoryFilter = (category: { readonly code: string; readonly status: string }) => boolean;

/**
 * An omitted key does not restrict anything, except that archived categories must be requested. An empty `include` or `status`
 * is rejected: it would leave no category, while its author most likely meant "all".
 */
export function readCategoryFilter(value: FreeForm): CategoryFilter {
  const filter = new JsonField('invalid_category_filter', 'categoryFilter', value);
  const [include, exclude, status] = ['include', 'exclude', 'status'].map((name) => filter.key(name)) as [JsonField, JsonField, JsonField];
  const included = include.isGiven ? anyOf(include.items({ min: 1 })) : () => true;
  const excluded = anyOf(exclude.items());
  const statuses: readonly string[] = status.isGiven ? status.items({ min: 1 }).map((json) => json.oneOf(STATUSES)) : ['active'];
  return (category) => {
    const code = foldText(category.code);
    return statuses.includes(category.status) && included(code) && !excluded(code);
  };
}

function anyOf(items: readonly JsonField[]): (foldedCode: string) => boolean {
  const patterns = items.map((json) => {
    const parts = foldText(json.text(MAX_PATTERN_LENGTH)).split(/\*+/);
    return RE2JS.compile(parts.map((part) => RE2JS.quote(part)).join('.*'), RE2JS.DOTALL);
  });
  return (code) => patterns.some((pattern) => pattern.testExact(code));
}
