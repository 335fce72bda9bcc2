import type { Type } from '@nestjs/common';
import type { ComponentChildren, JSX } from 'preact';
import { CUSTOM_FIELDS, type TenantRow, type CustomValues } from '../../../store/database/columns.js';
import type { FieldDeclaration } from '../../validation/field.js';
import { isScalar } from '../../validation/custom-fields.js';
import type { RecordFields } from '../../validation/record-fields.js';
import { type Form, type FormState, type PageContext, pathOf } from '../page.js';
import { wordsOf } from '../error-words.js';
import { amount, day, period, say, told } from '../say.js';
import { Badge, Time } from './facts.js';
import { chosenAmong, type Column } from './list.js';
import { AreaField, CheckField, type Choice, SelectField, TextField } from './fields.js';

// Pages of records, as their fields are declared. Objects and lists are shown; forms leave them as they are.

/** Records of another kind that a field names by their id. */
export interface Related {
  /** What it is called without one: "All". */
  readonly none: string;
  /** The section that shows them. */
  readonly path: string;
  readonly choices?: readonly Choice[];
  readonly names?: ReadonlyMap<string, string>;
}

/** By the field. */
export type RelatedBy = Readonly<Record<string, Related>>;
type All = RecordFields<object, TenantRow>;
type Fields = Pick<All, 'fields' | 'inputs'> & Partial<Pick<All, 'outputs'>>;
type Answered = Pick<All, 'answers'>;
type Values = Readonly<Record<string, unknown>>;
type Named = readonly [name: string, declaration: FieldDeclaration];

const LONG_TEXT = 500;

/** `costCentre` is "Cost centre", and so is `costCentreId`. */
export const labelOf = ([name, { about }]: Named): string => (about.people?.label === undefined ? wordsOf(name) : told(about.people.label));

/** In the order in which people read them: what a record belongs to comes after its name. */
function ownOf({ fields }: Pick<Fields, 'fields'>): Named[] {
  const all = [...fields];
  const belongs = ([, { schema }]: Named): boolean => schema.format === 'uuid';
  const end = all.findIndex(([name]) => name === 'name') + 1;
  const before = all.slice(0, end);
  return [...before.filter((named) => !belongs(named)), ...before.filter(belongs), ...all.slice(end)];
}

/** Those of extensions are named as errors name them. */
export const customName = (name: string): string => `customFields.${name}`;
export const customOf = (row: object): CustomValues => (row as { customFields?: CustomValues }).customFields ?? {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function recordBadge({ fields }: Pick<Fields, 'fields'>, row: TenantRow): ComponentChildren {
  const word = fields.get(STATUS)?.about.people?.words?.[String((row as unknown as Values)[STATUS])];
  return word ? <Badge tone={word[1]}>{told(word[0])}</Badge> : undefined;
}
const STATUS = 'status';

/** What the address of a form says that its record belongs to: `?projectId=…`. */
export const chosenRelated = (ctx: PageContext, choices: RelatedBy): Record<string, string> =>
  Object.fromEntries(
    Object.entries(choices).flatMap(([name, { choices: all = [] }]) => {
      const chosen = chosenAmong(ctx, name, all);
      return chosen === undefined ? [] : [[name, chosen]];
    }),
  );

/** The names and values of a record that say something besides its title and state, for `Facts`. */
export function recordFacts(
  fields: Fields,
  ctx: PageContext,
  row: TenantRow,
  related: RelatedBy = {},
): (readonly [string, ComponentChildren])[] {
  const values = row as unknown as Values;
  const inTitle = (name: string): boolean => name === 'name' || (name === STATUS && recordBadge(fields, row) !== undefined);
  const own = ownOf(fields).filter(([name, { about }]) => about.people?.onPage !== false && !inTitle(name));
  const said = own.map((named) => [factLabel(named), shown(ctx, named, values, related)] as const);
  return [
    ...said.filter(([, value]) => value !== null),
    ...customFacts(fields, ctx, row, related),
    [say('console.record.id'), <code>{row.id}</code>],
    [say('console.record.created'), <Time ctx={ctx} at={row.createdAt} />],
    [say('console.record.changed'), <Time ctx={ctx} at={row.updatedAt} />],
  ];
}

/** What extensions have added to a record, which is as the API answers it, as far as the person may see it. */
export function customFacts(fields: Fields & Partial<Answered>, ctx: PageContext, record: object, related: RelatedBy = {}) {
  const { inputs, outputs = inputs } = fields.answers ? seenFields(fields, fields.answers, ctx) : fields;
  const toIn = ([name]: Named) => ({ [name]: related[customName(name)]! });
  const said = [...outputs].map((named) => [labelOf(named), shown(ctx, named, customOf(record), toIn(named))] as const);
  return said.filter(([, value]) => value !== null);
}

/** The same as columns, where a list is all that people see of records. */
export function customColumns<Row>(fields: Fields & Answered, ctx: PageContext, answerOf: (row: Row) => object): Column<Row>[] {
  const { inputs, outputs = inputs } = seenFields(fields, fields.answers, ctx);
  return [...outputs].map((named) => [labelOf(named), (row) => shown(ctx, named, customOf(answerOf(row)), {})]);
}

/** The columns of a list, for `Table`. The first one leads to the record. */
export function recordColumns<Row extends TenantRow>(
  fields: Fields,
  ctx: PageContext,
  section: string,
  related: RelatedBy = {},
): Column<Row>[] {
  const listed = ownOf(fields).filter(([, { about }]) => about.people?.inList);
  const cell = (named: Named, index: number) => (row: Row) => {
    const content = shown(ctx, named, row as unknown as Values, related, { isLink: index > 0 });
    return index > 0 ? content : <a href={pathOf(ctx, section, row.id)}>{content}</a>;
  };
  const by =
    ([name]: Named) =>
    (row: Row) => {
      const value = (row as unknown as Values)[name];
      return related[name]?.names?.get(String(value)) ?? (typeof value === 'string' || typeof value === 'number' ? value : null);
    };
  return listed.map((named, index) => [factLabel(named), cell(named, index), undefined, by(named)] as const);
}

const factLabel = (named: Named): string => told(named[1].about.people?.until?.[1] ?? '') || labelOf(named);

function shown(ctx: PageContext, named: Named, values: Values, related: RelatedBy, { isLink = true } = {}): ComponentChildren {
  const [name, { about, schema, column }] = named;
  const { words, until } = about.people ?? {};
  const { format } = schema as { readonly format?: string };
  const [value, to] = [values[name], related[name]];
  if (to) {
    if (typeof value !== 'string') return to.none;
    const text = to.names?.get(value) ?? value;
    return isLink ? <a href={pathOf(ctx, to.path, value)}>{text}</a> : text;
  }
  if (value === null || value === undefined) return null;
  if (until)
    return values[until[0]] ? period(textOf(value), textOf(values[until[0]])) : say('console.record.from', { day: day(textOf(value)) });
  const word = words?.[textOf(value)];
  if (word) return <Badge tone={word[1]}>{told(word[0])}</Badge>;
  if (typeof value === 'boolean') return value ? say('console.record.yes') : say('console.record.no');
  if (typeof value !== 'object')
    return column === 'numeric' ? amount(textOf(value)) : format === 'date' ? day(textOf(value)) : textOf(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ') || null;
  return Object.keys(value).length === 0 ? null : (
    <pre tabIndex={0} aria-label={labelOf(named)}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}

/** Those that the person may see. */
export function seenFields(fields: Fields, answers: Type<object>, { hidden }: PageContext): Fields {
  const names = hidden?.namesIn(answers) ?? [];
  if (names.length === 0) return fields;
  const isSeen = (prefix: string) => (named: readonly [string, unknown]) => !names.includes(`${prefix}${named[0]}`);
  const custom = (all: Fields['inputs']) => new Map(names.includes(CUSTOM_FIELDS) ? [] : [...all].filter(isSeen(`${CUSTOM_FIELDS}.`)));
  const { fields: own, inputs, outputs = inputs } = fields;
  return { fields: new Map([...own].filter(isSeen(''))), inputs: custom(inputs), outputs: custom(outputs) };
}

/** The fields of a form, with those of extensions, by the names of their inputs. */
function entered(fields: Fields): { readonly own: Named[]; readonly custom: Named[] } {
  const own = ownOf(fields).filter(([, declaration]) => isScalar(declaration) && declaration.about.people?.inForm !== false);
  return { own, custom: [...fields.inputs].filter(([, declaration]) => isScalar(declaration)) };
}

/** What a form shows of a record. */
export function recordValues(fields: Fields, row: object): Record<string, string> {
  const { own, custom } = entered(fields);
  const inputOf = (values: Values, nameOf: (name: string) => string) => (named: Named) => {
    const [name, value] = [named[0], values[named[0]]];
    return [nameOf(name), value === undefined || value === null ? '' : textOf(value)];
  };
  return Object.fromEntries([
    ...own.map(inputOf(row as Values, (name) => name)),
    ...custom.map(inputOf(customOf(row), customName)),
  ]) as Record<string, string>;
}

export const recordDefaults = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    entered(fields).own.flatMap(([name, { about }]) =>
      about.default === undefined || about.default === null ? [] : [[name, textOf(about.default)]],
    ),
  );

/** A flag that may be neither on nor off is chosen from a list. */
const isCheckbox = ({ about, schema }: FieldDeclaration): boolean => schema.type === Boolean && !about.nullable;

/** What was entered, for the body of the operation. An empty field that may be null is; others are judged by the operation. */
export function recordBody(fields: Fields, form: Form): object {
  const { own, custom } = entered(fields);
  const read = (text: string | undefined, { fromQuery }: FieldDeclaration): unknown =>
    text === undefined ? null : (fromQuery?.(text) ?? text);
  const values = own.map(([name, declaration]) => {
    if (isCheckbox(declaration)) return [name, form.isChecked(name)];
    return [name, read(declaration.about.nullable ? form.given(name) : form.text(name), declaration)];
  });
  const customValues = custom.map(([name, declaration]) => [name, read(form.given(customName(name)), declaration)]);
  return {
    ...(Object.fromEntries(values) as object),
    ...(custom.length > 0 && { customFields: Object.fromEntries(customValues) as object }),
  };
}

interface InputsProps {
  readonly fields: Fields;
  readonly state: FormState;
  readonly related?: RelatedBy;
}

export function RecordInputs({ fields, state, related = {} }: InputsProps): JSX.Element {
  const { own, custom } = entered(fields);
  return (
    <>
      {own.map((named) => (
        <Input named={named} name={named[0]} state={state} to={related[named[0]]} />
      ))}
      {custom.map((named) => (
        <Input named={named} name={customName(named[0])} state={state} to={related[customName(named[0])]} isCustom />
      ))}
    </>
  );
}

function Input(props: { named: Named; name: string; state: FormState; to?: Related | undefined; isCustom?: boolean }) {
  const { named, name, state, to, isCustom = false } = props;
  const { about, schema } = named[1];
  const hint = told(about.people?.hint ?? (isCustom ? about.about : '')) || undefined;
  const shared = { state, name, label: labelOf(named), ...(hint !== undefined && { hint }) };
  if (to) return <SelectField {...shared} choices={[['', to.none], ...(to.choices ?? [])]} />;
  if (isCheckbox(named[1]) && !isCustom) return <CheckField {...shared} value="true" />;
  const values = schema.type === Boolean ? ['true', 'false'] : listed(schema.enum);
  if (values) {
    const choices = values.map((value): Choice => [value, told(about.people?.words?.[value]?.[0] ?? value)]);
    return <SelectField {...shared} choices={isCustom || about.nullable ? [['', say('console.parts.none')], ...choices] : choices} />;
  }
  const needed = { required: !isCustom && !about.optional, maxLength: schema.maxLength };
  if ((schema.maxLength ?? 0) > LONG_TEXT && !schema.format) return <AreaField {...shared} {...needed} rows={2} />;
  const type = schema.format === 'date' ? 'date' : schema.type === 'integer' ? 'number' : 'text';
  return <TextField {...shared} {...needed} type={type} />;
}

const listed = (values: unknown): string[] | undefined => {
  const all: unknown = typeof values === 'function' ? (values as () => unknown)() : values;
  return Array.isArray(all) ? all.map(String) : undefined;
};
