import type { Form } from '../../../api/console/form.js';
import { Problem } from '../../../kernel/problems.js';
import type { FreeForm } from '../../../kernel/json.js';
import { customFieldsIn, customValues } from '../../../api/console/parts/custom-fields.js';
import { CONFIGURATION_FIELDS } from '../configurations.dto.js';
import type { Configuration } from '../configuration.entity.js';

// Fields of the form are called after the places that errors name. What no field shows is in the JSON of each document.
export const FIELD_NAMES = {
  formats: 'outputOptions.formats',
  groupBy: 'outputOptions.groupBy',
  currency: 'outputOptions.currency',
  detail: 'outputOptions.detail',
  includeUncategorised: 'outputOptions.includeUncategorised',
  include: 'categoryFilter.include',
  exclude: 'categoryFilter.exclude',
} as const;

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

/** What a document has for a field of the form. Another value, such as `null`, stays in the rest. */
function taken<T>(rest: Record<string, unknown>, key: string, fits: (value: unknown) => value is T): T | undefined {
  const value = rest[key];
  if (!fits(value)) return undefined;
  delete rest[key];
  return value;
}

const jsonOf = (rest: FreeForm): string => (Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2));

/** What the form shows of a configuration. */
export function valuesOf({
  outputOptions,
  categoryFilter,
  projectId,
  name,
  status,
  periodStart,
  periodEnd,
  accountingProvider,
  customFields,
}: Configuration) {
  const [options, filter]: Record<string, unknown>[] = [{ ...outputOptions }, { ...categoryFilter }];
  const shown = {
    [FIELD_NAMES.formats]: taken(options!, 'formats', isTexts),
    [FIELD_NAMES.groupBy]: taken(options!, 'groupBy', isTexts),
    [FIELD_NAMES.currency]: taken(options!, 'currency', isText),
    [FIELD_NAMES.detail]: taken(options!, 'detail', isText),
    [FIELD_NAMES.includeUncategorised]: taken(options!, 'includeUncategorised', isFlag) === false ? undefined : 'yes',
    [FIELD_NAMES.include]: taken(filter!, 'include', isTexts)?.join('\n'),
    [FIELD_NAMES.exclude]: taken(filter!, 'exclude', isTexts)?.join('\n'),
  };
  const rest = { outputOptions: jsonOf(options as FreeForm), categoryFilter: jsonOf(filter as FreeForm) };
  return {
    projectId,
    name,
    status,
    periodStart,
    periodEnd,
    accountingProvider,
    ...shown,
    ...rest,
    ...customValues(CONFIGURATION_FIELDS, { customFields }),
  };
}

/** The body of the operation. An empty field leaves its key out. */
export const fieldsOf = (form: Form) => ({
  projectId: form.given('projectId') ?? null,
  name: form.text('name'),
  status: form.text('status'),
  periodStart: form.text('periodStart'),
  periodEnd: form.text('periodEnd'),
  accountingProvider: form.text('accountingProvider'),
  outputOptions: { ...restIn(form, 'outputOptions'), ...optionsIn(form) },
  categoryFilter: { ...restIn(form, 'categoryFilter'), ...filterIn(form) },
  ...customFieldsIn(CONFIGURATION_FIELDS, form),
});

function optionsIn(form: Form) {
  const [formats, groupBy] = [form.list(FIELD_NAMES.formats), form.list(FIELD_NAMES.groupBy)];
  const [currency, detail] = [form.text(FIELD_NAMES.currency).trim(), form.given(FIELD_NAMES.detail)];
  return {
    ...(formats.length > 0 && { formats }),
    ...(groupBy.length > 0 && { groupBy }),
    ...(currency !== '' && { currency }),
    ...(detail !== undefined && { detail }),
    ...(!form.isChecked(FIELD_NAMES.includeUncategorised) && { includeUncategorised: false }),
  };
}

function filterIn(form: Form) {
  const [include, exclude] = [codesIn(form, FIELD_NAMES.include), codesIn(form, FIELD_NAMES.exclude)];
  return { ...(include.length > 0 && { include }), ...(exclude.length > 0 && { exclude }) };
}

/** One code on each line. */
const codesIn = (form: Form, name: string): string[] =>
  form
    .text(name)
    .split('\n')
    .map((code) => code.trim())
    .filter(Boolean);

function restIn(form: Form, name: 'outputOptions' | 'categoryFilter'): object {
  const json = form.text(name).trim();
  if (json === '') return {};
  const wrong = (why: string) => Problem.invalidField(name, 'wrong_type', why);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw wrong(`must be JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('must be a JSON object');
  return value;
}
