import { RE2JS } from 're2js';
import type { FreeForm } from '../../../../kernel/json.js';
import { foldText } from '../../../../kernel/text.js';
import { JsonField } from '../json-field.js';

const STATUSES = ['active', 'archived'] as const;
const PATTERN_MAX = 200;

/** Whether a category takes part. */
export type CategoryFilter = (category: { readonly code: string; readonly status: string }) => boolean;

/**
 * What is left out is no restriction, except that archived categories have to be asked for. An empty list is refused where it
 * would leave no category: nobody means that, and one who means "all" would get a report without claims.
 */
export function readCategoryFilter(value: FreeForm): CategoryFilter {
  const filter = new JsonField('invalid_category_filter', 'categoryFilter', value);
  const [include, exclude, status] = ['include', 'exclude', 'status'].map((name) => filter.key(name)) as [JsonField, JsonField, JsonField];
  const included = include.isGiven ? anyOf(include.items({ min: 1 })) : () => true;
  const excluded = anyOf(exclude.items());
  const statuses: readonly string[] = status.isGiven ? status.items({ min: 1 }).map((place) => place.oneOf(STATUSES)) : ['active'];
  return (category) => {
    const code = foldText(category.code);
    return statuses.includes(category.status) && included(code) && !excluded(code);
  };
}

function anyOf(places: readonly JsonField[]): (foldedCode: string) => boolean {
  const patterns = places.map((place) => {
    const parts = foldText(place.text(PATTERN_MAX)).split(/\*+/);
    return RE2JS.compile(parts.map((part) => RE2JS.quote(part)).join('.*'), RE2JS.DOTALL);
  });
  return (code) => patterns.some((pattern) => pattern.testExact(code));
}
