import { errorsIn, type Form, type FormState } from '../../../api/console/form.js';
import { AreaField, CheckField, CheckGroup, type Choice, SelectField, TextField } from '../../../api/console/parts/fields.js';
import type { FreeForm } from '../../../kernel/json.js';
import { Problem } from '../../../kernel/problems.js';
import { addedFormat, OUTPUT_FORMATS, type OutputFormat } from '../../rules/index.js';
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

/** What the form shows of both documents. */
export function furtherValuesOf(configuration: Configuration) {
  const [options, filter]: Record<string, unknown>[] = [{ ...configuration.outputOptions }, { ...configuration.categoryFilter }];
  const shown = {
    [FIELD_NAMES.formats]: taken(options!, 'formats', isTexts),
    [FIELD_NAMES.groupBy]: taken(options!, 'groupBy', isTexts),
    [FIELD_NAMES.currency]: taken(options!, 'currency', isText),
    [FIELD_NAMES.detail]: taken(options!, 'detail', isText),
    [FIELD_NAMES.includeUncategorised]: taken(options!, 'includeUncategorised', isFlag) === false ? undefined : 'yes',
    [FIELD_NAMES.include]: taken(filter!, 'include', isTexts)?.join('\n'),
    [FIELD_NAMES.exclude]: taken(filter!, 'exclude', isTexts)?.join('\n'),
  };
  return { ...shown, outputOptions: jsonOf(options as FreeForm), categoryFilter: jsonOf(filter as FreeForm) };
}

/** Both, in the body of the operation. An empty field leaves its key out. */
export const furtherBodyIn = (form: Form) => ({
  outputOptions: { ...restIn(form, 'outputOptions'), ...optionsIn(form) },
  categoryFilter: { ...restIn(form, 'categoryFilter'), ...filterIn(form) },
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

const FORMATS: Readonly<Record<OutputFormat, string>> = {
  json: 'JSON',
  csv: 'CSV',
  xlsx: 'Excel',
  pdf: 'PDF',
  journal: 'Bookings as CSV',
  datev: 'DATEV (needs datev below)',
  evidence: 'Evidence pack: report, statements and hashes as ZIP',
};
const formatChoices = (): readonly Choice[] => OUTPUT_FORMATS.map((format) => [format, addedFormat(format)?.about ?? FORMATS[format]]);

interface InputsProps {
  readonly state: FormState;
}

export const FurtherInputs = ({ state }: InputsProps) => (
  <>
    <Output state={state} />
    <Filter state={state} />
  </>
);

function Output({ state }: InputsProps) {
  return (
    <>
      <h2>Report and files</h2>
      <CheckGroup state={state} name={FIELD_NAMES.formats} label="Files" choices={formatChoices()} />
      <CheckGroup
        state={state}
        name={FIELD_NAMES.groupBy}
        label="Tables by"
        choices={[
          ['category', 'Category'],
          ['month', 'Month'],
        ]}
      />
      <TextField
        state={state}
        name={FIELD_NAMES.currency}
        label="Currency"
        hint="Such as EUR. Empty: the currency of most lines."
        maxLength={3}
      />
      <SelectField
        state={state}
        name={FIELD_NAMES.detail}
        label="Detail"
        choices={[
          ['none', 'Sums only'],
          ['lines', 'Each line'],
        ]}
      />
      <CheckField state={state} name={FIELD_NAMES.includeUncategorised} label="Show lines that are not categorized" />
      <AreaField
        state={withoutFields(state, 'outputOptions')}
        name="outputOptions"
        label="Other options as JSON"
        hint={'Such as {"locale": "de", "rates": "ecb"}, datev or paperSize.'}
        rows={4}
      />
    </>
  );
}

function Filter({ state }: InputsProps) {
  return (
    <>
      <h2>Categories</h2>
      <AreaField
        state={state}
        name={FIELD_NAMES.include}
        label="Only these codes"
        hint="One on each line; * stands for any text. Empty: all."
        rows={3}
      />
      <AreaField state={state} name={FIELD_NAMES.exclude} label="Without these codes" hint="One on each line." rows={3} />
      <AreaField
        state={withoutFields(state, 'categoryFilter')}
        name="categoryFilter"
        label="Other filters as JSON"
        hint={'Such as {"status": ["active", "archived"]}.'}
        rows={3}
      />
    </>
  );
}

/** The errors of a document that no field of its own shows. */
function withoutFields({ values, problem }: FormState, document: string): FormState {
  if (!problem) return { values };
  const shown = Object.values(FIELD_NAMES).flatMap((name) => errorsIn({ values, problem }, name));
  const errors = problem.errors.filter((error) => error.field.startsWith(document) && !shown.includes(error));
  return { values, problem: new Problem(problem.code, { detail: problem.detail, errors }) };
}
