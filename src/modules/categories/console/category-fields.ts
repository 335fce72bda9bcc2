import type { FormState } from '../../../api/console/form.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { customFieldsIn, customValues } from '../../../api/console/parts/custom-fields.js';
import { CATEGORY_FIELDS } from '../categories.dto.js';
import type { Category } from '../category.entity.js';
import { DO_FIELD, MORE_ROWS } from './category-form.js';
import { mappingIn, rowsOf } from './rule-rows.js';

/** Whether the button for more rows was pressed. */
export const wantsRows = ({ form }: PageContext): boolean => form.text(DO_FIELD) === MORE_ROWS;

/** What was entered so far. */
export const keptOf = ({ form }: PageContext): FormState => ({ values: (name) => form.list(name) });

/** What the form shows of a category. */
export function valuesOf(category: Category) {
  const { projectId, code, name, status, sourceProvider, sourceMapping } = category;
  const json = rowsOf(sourceMapping) === undefined ? JSON.stringify(sourceMapping, null, 2) : '';
  return { projectId, code, name, status, sourceProvider, sourceMapping: json, ...customValues(CATEGORY_FIELDS, category) };
}

/** The body of the operation. */
export const fieldsOf = ({ form }: PageContext) => ({
  projectId: form.given('projectId') ?? null,
  code: form.text('code'),
  name: form.text('name'),
  status: form.text('status'),
  sourceProvider: form.text('sourceProvider'),
  sourceMapping: mappingIn(form),
  ...customFieldsIn(CATEGORY_FIELDS, form),
});
