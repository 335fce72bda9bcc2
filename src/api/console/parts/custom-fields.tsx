import type { CustomFields } from '../../validation/custom-fields.js';
import type { FieldDeclaration } from '../../validation/field.js';
import { snakeCase } from '../../../kernel/text.js';
import type { CustomValues } from '../../../store/tenant/custom-columns.js';
import type { Form, FormState } from '../form.js';
import { SelectField, TextField } from './fields.js';

// The fields that extensions declare, in pages. Objects and lists are shown; forms leave them as they are.

interface Row {
  readonly customFields?: CustomValues | undefined;
}

/** `costCentre` is "Cost centre". */
function labelOf(name: string): string {
  const words = snakeCase(name).replaceAll('_', ' ');
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

/** As errors name it. */
const inputName = (name: string): string => `customFields.${name}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** For `Facts`. */
export const customFacts = (fields: CustomFields, { customFields: values = {} }: Row): [name: string, value: string | null][] =>
  [...fields.inputs].map(([name]) => [labelOf(name), values[name] === undefined ? null : textOf(values[name])]);

/** What a form shows of a record. */
export const customValues = (fields: CustomFields, { customFields: values = {} }: Row): Record<string, string> =>
  Object.fromEntries(fields.scalars.map(([name]) => [inputName(name), values[name] === undefined ? '' : textOf(values[name])]));

/** What was entered, for the body of the operation. An empty field has no value. */
export function customFieldsIn(fields: CustomFields, form: Form): object {
  if (fields.scalars.length === 0) return {};
  const entered = fields.scalars.map(([name, { fromQuery }]) => {
    const text = form.given(inputName(name));
    return [name, text === undefined ? null : (fromQuery?.(text) ?? text)];
  });
  return { customFields: Object.fromEntries(entered) as object };
}

export const CustomInputs = ({ fields, state }: { fields: CustomFields; state: FormState }) => (
  <>
    {fields.scalars.map(([name, declaration]) => (
      <CustomInput name={name} declaration={declaration} state={state} />
    ))}
  </>
);

function CustomInput({ name, declaration, state }: { name: string; declaration: FieldDeclaration; state: FormState }) {
  const { about, schema } = declaration;
  const shared = { state, name: inputName(name), label: labelOf(name), hint: about.about };
  const values = schema.type === Boolean ? ['true', 'false'] : schema.enum;
  if (Array.isArray(values)) {
    const choices = values.map((value) => [String(value), String(value)] as const);
    return <SelectField {...shared} choices={[['', 'None'], ...choices]} />;
  }
  return <TextField {...shared} type={schema.format === 'date' ? 'date' : 'text'} maxLength={schema.maxLength} />;
}
