import type { FreeForm } from '../../../kernel/json.js';
import { readCategoryFilter } from '../engine/inputs.js';

export interface Selection {
  readonly categoryFilter: FreeForm;
  readonly categories: readonly { readonly id: string; readonly code: string; readonly status: string }[];
}

/** The ids of the categories that take part in a run. A filter may have thousands of patterns. */
export default async function* selectCategories({ categoryFilter, categories }: Selection): AsyncGenerator<never, readonly string[]> {
  const takesPart = readCategoryFilter(categoryFilter);
  return Promise.resolve(categories.filter(takesPart).map(({ id }) => id));
}
