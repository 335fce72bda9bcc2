import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { isUuid } from '../../kernel/ids.js';
import { freeFormProblem, pathBelow } from '../../kernel/json.js';
import { codePoints, INVALID_TEXT, isStorableText } from '../../kernel/text.js';
import { isCalendarDate, utcTime } from '../../kernel/time.js';
import type { RelationTo } from '../../store/tenant/relations.js';
import { field, redeclare, fieldsOf, problemsWith } from './field.js';
import type { About, FieldGrammar, FieldProblem, FieldDeclaration } from './field.js';
import { Currency, Money } from './text-forms.js';
import { wholeNumber } from './whole-number.js';

/** A module declares a field of its own kind with `field`: see docs/adding-a-resource.md. */
export { field, type About, type FieldProblem } from './field.js';
export * from './text-forms.js';

/** A field that may be left out, and may be null. */
export const OR_NULL = { optional: true, nullable: true } as const;
/** One that is null if it is left out. */
export const NULL_BY_DEFAULT = { ...OR_NULL, default: null } as const;

export const wrongType = (expected: string): FieldProblem => ({ code: 'wrong_type', message: `must be ${expected}` });

const NO_UUID: FieldProblem = { code: 'invalid_uuid', message: 'must be a UUID' };

export function wrongLength({ length }: readonly unknown[], min: number, max: number): FieldProblem | undefined {
  if (length < min) return { code: 'too_short', message: `must have at least ${min} item${min === 1 ? '' : 's'}` };
  return length > max ? { code: 'too_many', message: `must have at most ${max} items` } : undefined;
}

/** A field of answers alone: nothing is checked. */
const inAnswer = (about: About, schema: ApiPropertyOptions): PropertyDecorator => field({ about, schema, check: () => undefined });

export function firstOf(items: readonly unknown[], problemOf: (item: unknown, index: number) => FieldProblem | undefined) {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index);
    if (problem) return { ...problem, path: `[${index}]` };
  }
  return undefined;
}

/** A `format` only documents the text: the module checks it. */
export function Text(options: About & { min?: number; max?: number; format?: 'uri' }): PropertyDecorator {
  const { min = 0, max = Infinity, format } = options;
  const shape = { ...(format && { format }), ...(min > 0 && { minLength: min }), ...(max < Infinity && { maxLength: max }) };
  return field({
    about: options,
    schema: { type: String, ...shape },
    check: (value) => {
      if (typeof value !== 'string') return wrongType('a string');
      if (!isStorableText(value)) return INVALID_TEXT;
      const size = codePoints(value);
      if (size < min) return { code: 'too_short', message: `must have at least ${min} character${min === 1 ? '' : 's'}` };
      if (size > max) return { code: 'too_long', message: `must have at most ${max} characters` };
      return undefined;
    },
  });
}

export function CalendarDate(options: About): PropertyDecorator {
  return field({
    about: options,
    schema: { type: String, format: 'date' },
    check: (value) => {
      if (typeof value !== 'string') return wrongType('a date as a string, like 2026-02-28');
      return isCalendarDate(value) ? undefined : { code: 'invalid_date', message: 'must be an existing calendar date, like 2026-02-28' };
    },
  });
}

/** A time in an answer. */
export function Timestamp(options: About): PropertyDecorator {
  return inAnswer({ example: '2026-03-01T09:30:00.000Z', ...options }, { type: String, format: 'date-time' });
}

/** A time in a query. The handler gets it in UTC. */
export function DateTime(options: About): PropertyDecorator {
  return field({
    about: options,
    schema: { type: String, format: 'date-time' },
    fromQuery: (value) => utcTime(value) ?? value,
    check: (value) => {
      if (typeof value !== 'string') return wrongType('a time as a string, like 2026-03-01T09:30:00Z');
      if (utcTime(value) !== undefined) return undefined;
      return { code: 'invalid_time', message: 'must be a time with its offset, like 2026-03-01T09:30:00Z (in a URL, write + as %2B)' };
    },
  });
}

/**
 * A function gives the values where not all may be known when the class is loaded; then the example must be given. If the list
 * `grows` from version to version, answers are documented as OneOfSoFar does it.
 */
export function OneOf(values: Values, { grows = false, ...options }: About & { grows?: boolean }): PropertyDecorator {
  const all = listed(values);
  return field({
    about: { example: exampleOf(values), ...options },
    schema: { type: String, enum: typeof values === 'function' ? () => [...values()] : [...values] },
    ...(grows && { answerSchema: openList(all) }),
    check: (value) => {
      if (typeof value !== 'string') return wrongType('a string');
      return all().includes(value) ? undefined : { code: 'not_allowed', message: `must be one of ${all().join(', ')}` };
    },
  });
}

/** In an answer: one of a list that grows. It is no enum: generated clients refuse values that an enum does not list. */
export function OneOfSoFar(values: Values, options: About): PropertyDecorator {
  return inAnswer({ example: exampleOf(values), ...options }, openList(listed(values)));
}

type Values = readonly string[] | (() => readonly string[]);
const listed = (values: Values): (() => readonly string[]) => (typeof values === 'function' ? values : () => values);
const exampleOf = (values: Values): string | undefined => (typeof values === 'function' ? undefined : values[0]);

/** Asked when the documents are made: extensions may declare more until the start. */
const openList = (values: () => readonly string[]): ApiPropertyOptions =>
  ({
    type: 'string',
    get 'x-extensible-enum'() {
      return [...values()];
    },
  }) as ApiPropertyOptions;

/** A code in an answer, with a sentence for each. It is no enum, as in OneOfSoFar. */
export function CodeOf(codes: Codes | (() => Codes), options: About): PropertyDecorator {
  const all = (): Codes => (typeof codes === 'function' ? codes() : codes);
  const about = {
    ...options,
    get about() {
      const lines = Object.entries(all()).map(([code, sentence]) => `\n- \`${code}\`: ${sentence}`);
      return `${options.about} Codes never change their meaning, but new ones may be added.\n${lines.join('')}`;
    },
  };
  return inAnswer(
    about,
    openList(() => Object.keys(all())),
  );
}
type Codes = Readonly<Record<string, string>>;

export function Uuid(options: About): PropertyDecorator {
  return field(uuid(options));
}

/**
 * The id of a record of a table, which has the name that the operations of its records have. It is looked up with each write, and the
 * record is not deleted as long as others name it, unless `onDelete` allows that.
 */
export function RecordOf(table: string, { onDelete, ...options }: About & Pick<RelationTo, 'onDelete'>): PropertyDecorator {
  return field({ ...uuid(options), recordOf: { table, ...(onDelete && { onDelete }) } });
}

const uuid = (options: About): FieldDeclaration => ({
  about: { example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21', ...options },
  schema: { type: String, format: 'uuid' },
  check: (value) => {
    if (typeof value !== 'string') return wrongType('a UUID as a string');
    return isUuid(value) ? undefined : NO_UUID;
  },
});

/** With a grammar, what stands under its keys must follow it. All other keys are up to the caller. */
export function FreeFormObject(options: About & { grammar?: FieldGrammar }): PropertyDecorator {
  const { grammar, ...about } = options;
  const schema = { type: 'object', additionalProperties: true } as const;
  if (!grammar) return field({ about, schema, check: freeFormProblem });
  return field({
    about,
    schema: { ...schema, allOf: [{ $ref: grammar.ref }] },
    answerSchema: schema,
    components: grammar.components,
    check: (value) => freeFormProblem(value) ?? grammar.problemsOf(value as object),
  });
}

/** A whole number. In a query only digits are a number. */
export function Integer(options: About & { min: number; max?: number }): PropertyDecorator {
  const { min, max = Number.MAX_SAFE_INTEGER } = options;
  return field({
    about: options,
    schema: wholeNumber(min, max),
    fromQuery: (value) => (/^\d+$/.test(value) ? Number(value) : value),
    check: (value) => {
      if (!Number.isSafeInteger(value)) return wrongType('a whole number');
      const isInRange = (value as number) >= min && (value as number) <= max;
      return isInRange ? undefined : { code: 'out_of_range', message: `must be from ${min} to ${max}` };
    },
  });
}

/** True or false. With `only`, just one of them is allowed. */
export function Flag(options: About & { only?: boolean }): PropertyDecorator {
  const { only } = options;
  return field({
    about: options,
    schema: { type: Boolean, ...(only !== undefined && { enum: [only] }) },
    fromQuery: (value) => (value === 'true' ? true : value === 'false' ? false : value),
    check: (value) => {
      if (typeof value !== 'boolean') return wrongType('true or false');
      return only === undefined || value === only ? undefined : { code: 'not_allowed', message: `must be ${only}` };
    },
  });
}

/** One or more of a list that grows, each at most once. A function gives it: not all may be known when the class is loaded. */
export function SetOf(values: () => readonly string[], options: About): PropertyDecorator {
  return field({
    about: options,
    schema: { type: String, isArray: true, enum: () => [...values()], minItems: 1, uniqueItems: true },
    answerSchema: { type: 'array', items: openList(values), minItems: 1, uniqueItems: true } as ApiPropertyOptions,
    check: (value) => {
      if (!Array.isArray(value)) return wrongType('a list of strings');
      if (value.length === 0) return { code: 'too_short', message: 'must have at least one item' };
      return firstOf(value, (item, index) => {
        if (typeof item !== 'string') return wrongType('a string');
        if (!values().includes(item)) return { code: 'not_allowed', message: `must be one of ${values().join(', ')}` };
        return value.indexOf(item) < index ? { code: 'repeated', message: 'must not repeat an earlier item' } : undefined;
      });
    },
  });
}

/** An object of whole numbers in an answer. Its names are not known in advance. */
export function IntegersByName(options: About): PropertyDecorator {
  return inAnswer(options, { type: 'object', additionalProperties: wholeNumber(0) });
}

/** A list of strings in an answer. */
export function TextList(options: About): PropertyDecorator {
  return inAnswer(options, { type: [String] });
}

/** A list of ids. In a request it needs `max`. */
export function UuidList(options: About & { min?: number; max?: number }): PropertyDecorator {
  const { min = 0, max, ...about } = options;
  const schema: ApiPropertyOptions = { type: 'array', items: { type: 'string', format: 'uuid' } };
  if (max === undefined) return inAnswer(about, schema);
  return field({
    about: { example: ['0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21'], ...about },
    schema: { ...schema, minItems: min, maxItems: max },
    check: (value) => {
      if (!Array.isArray(value)) return wrongType('a list of UUIDs');
      const isId = (item: unknown): boolean => typeof item === 'string' && isUuid(item);
      return wrongLength(value, min, max) ?? firstOf(value, (item) => (isId(item) ? undefined : NO_UUID));
    },
  });
}

type Constructor<T> = new () => T;
export type AllFields<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };

/** A class with the fields of a request class for an answer: every one is present, so none has a default. */
export function Complete<T extends object>(request: Constructor<T>): Constructor<AllFields<T>> {
  class CompleteFields {}
  redeclare(request, CompleteFields, { optional: false, default: undefined }, { asAnswer: true });
  return CompleteFields as Constructor<AllFields<T>>;
}

/** A class with the fields of a create request for a PATCH: none is required, and one that is left out keeps its value. */
export function Changes<T extends object>(create: Constructor<T>): Constructor<Partial<T>> {
  class ChangedFields {}
  redeclare(create, ChangedFields, { optional: true, default: undefined });
  return ChangedFields;
}

/** A class with the fields of two. */
export function Both<A extends object, B extends object>(first: Constructor<A>, second: Constructor<B>): Constructor<A & B> {
  class BothFields {}
  redeclare(first, BothFields);
  redeclare(second, BothFields);
  return BothFields as Constructor<A & B>;
}

/** A class with all but some of the fields of another. */
export function Without<T extends object, K extends keyof T & string>(
  type: Constructor<T>,
  omitted: readonly K[],
): Constructor<Omit<T, K>> {
  class RemainingFields {}
  redeclare(type, RemainingFields, {}, { except: omitted });
  return RemainingFields as Constructor<Omit<T, K>>;
}

/** An object of another class, whose fields are checked like those of a body. */
export function Nested(type: Type<object>, options: About): PropertyDecorator {
  return field({ about: options, schema: { type }, of: type, check: (value) => problemsOfObject(type, value) });
}

/** A list of objects of another class. In a request it needs `max`: see registry-rules.ts. */
export function ListOf(type: Type<object>, options: About & { min?: number; max?: number }): PropertyDecorator {
  const { min = 0, max = Infinity, ...about } = options;
  const bounds = { ...(min > 0 && { minItems: min }), ...(max < Infinity && { maxItems: max }) };
  return field({
    about,
    schema: { type: [type], ...bounds },
    of: type,
    check: (value) => {
      if (!Array.isArray(value)) return wrongType('a list of objects');
      return wrongLength(value, min, max) ?? value.flatMap((item, index) => within(`[${index}]`, problemsOfObject(type, item)));
    },
  });
}

export class CurrencyAmount {
  @Money({ about: 'The amount, an exact decimal.' }) amount: string;
  @Currency({ about: 'Its currency (ISO 4217).' }) currency: string;
}

/** An amount with its currency, as one field. Its column is `JsonColumn`. */
export function MoneyWithCurrency(options: About): PropertyDecorator {
  return Nested(CurrencyAmount, { example: { amount: '12.50', currency: 'EUR' }, ...options });
}

export function problemsOfObject(type: Type<object>, value: unknown): readonly FieldProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [wrongType('an object')];
  const fields = fieldsOf(type.prototype as object);
  const unknown = Object.keys(value).filter((name) => !fields.has(name));
  return [
    ...unknown.map((name) => ({ path: pathBelow([name]), code: 'unknown_property' as const, message: 'is not a known property' })),
    ...[...fields].flatMap(([name, declaration]) =>
      within(`.${name}`, problemsOfField(declaration, Object.getOwnPropertyDescriptor(value, name)?.value)),
    ),
  ];
}

function problemsOfField(declaration: FieldDeclaration, value: unknown): readonly FieldProblem[] {
  const { optional = false, nullable = false } = declaration.about;
  return (value === undefined && optional) || (value === null && nullable) ? [] : problemsWith(declaration, value);
}

const within = (place: string, problems: readonly FieldProblem[]): FieldProblem[] =>
  problems.map(({ path = '', ...problem }) => ({ ...problem, path: `${place}${path}` }));
