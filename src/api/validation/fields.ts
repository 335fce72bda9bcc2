import type { Type } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { isUuid } from '../../kernel/ids.js';
import { isCalendarDate, utcTime } from '../../kernel/dates.js';
import { freeFormProblem } from '../../kernel/json.js';
import { codePoints, isStorableText } from '../../kernel/text.js';

/** What every field says about itself. `about` is read by integrators: it is the documentation. */
interface About {
  about: string;
  example?: unknown;
  optional?: boolean;
  nullable?: boolean;
  default?: unknown;
}

export interface FieldProblem {
  code: string;
  message: string;
}

/** A field as its decorator declares it. */
export interface DeclaredField {
  readonly about: About;
  readonly schema: ApiPropertyOptions;
  /** What is wrong with a value, if anything. */
  readonly check: (value: unknown) => FieldProblem | undefined;
  /** Reads the text of a query parameter. */
  readonly read?: (value: unknown) => unknown;
}

type Fields = Map<string, DeclaredField>;

const declared = new Map<object, Fields>();

/**
 * The fields of every class, in the order of declaration. Validation (field-rules.ts) and documentation (document-fields.ts)
 * are made from the same declaration, so they cannot differ. Both load large libraries, so both happen when first needed:
 * a process that serves no requests needs neither.
 */
export const declaredFields: ReadonlyMap<object, ReadonlyMap<string, DeclaredField>> = declared;

function declare(type: object, key: string, field: DeclaredField): void {
  const fields: Fields = declared.get(type) ?? new Map<string, DeclaredField>();
  declared.set(type, fields.set(key, field));
}

function field(
  about: About,
  schema: ApiPropertyOptions,
  check: DeclaredField['check'] = () => undefined,
  read?: DeclaredField['read'],
): PropertyDecorator {
  return (target, key) => declare(target.constructor, String(key), { about, schema, check, read });
}

const wrongType = (expected: string): FieldProblem => ({ code: 'wrong_type', message: `must be ${expected}` });

/** With `format` its owner says more of it than that it is a text, and looks at it by itself. */
export function Text(options: About & { min?: number; max?: number; format?: 'uri' }): PropertyDecorator {
  const { min = 0, max = Infinity, format } = options;
  const shape = { ...(format && { format }), ...(min > 0 && { minLength: min }), ...(max < Infinity && { maxLength: max }) };
  return field(options, { type: String, ...shape }, (value) => {
    if (typeof value !== 'string') return wrongType('a string');
    if (!isStorableText(value)) return { code: 'invalid_text', message: 'must not hold NUL characters or lone surrogates' };
    const size = codePoints(value);
    if (size < min) return { code: 'too_short', message: `must have at least ${min} character${min === 1 ? '' : 's'}` };
    if (size > max) return { code: 'too_long', message: `must have at most ${max} characters` };
    return undefined;
  });
}

export function CalendarDate(options: About): PropertyDecorator {
  return field(options, { type: String, format: 'date' }, (value) => {
    if (typeof value !== 'string') return wrongType('a date as text, like 2026-02-28');
    return isCalendarDate(value) ? undefined : { code: 'invalid_date', message: 'must be a calendar date that exists, like 2026-02-28' };
  });
}

export function Timestamp(options: About): PropertyDecorator {
  return field({ example: '2026-03-01T09:30:00.000Z', ...options }, { type: String, format: 'date-time' });
}

/** A point in time that is asked for; what arrives is its form in UTC. */
export function DateTime(options: About): PropertyDecorator {
  const check: DeclaredField['check'] = (value) => {
    if (typeof value !== 'string') return wrongType('a time as text, like 2026-03-01T09:30:00Z');
    return utcTime(value) === undefined
      ? { code: 'invalid_time', message: 'must be a time with its offset, like 2026-03-01T09:30:00Z (in an address, + is written %2B)' }
      : undefined;
  };
  return field(options, { type: String, format: 'date-time' }, check, (value) =>
    typeof value === 'string' ? (utcTime(value) ?? value) : value,
  );
}

export function OneOf(values: readonly string[], options: About): PropertyDecorator {
  return field({ example: values[0], ...options }, { type: String, enum: [...values] }, (value) => {
    if (typeof value !== 'string') return wrongType('a string');
    return values.includes(value) ? undefined : { code: 'not_allowed', message: `must be one of ${values.join(', ')}` };
  });
}

export function Uuid(options: About): PropertyDecorator {
  return field({ example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21', ...options }, { type: String, format: 'uuid' }, (value) => {
    if (typeof value !== 'string') return wrongType('a UUID as text');
    return isUuid(value) ? undefined : { code: 'invalid_uuid', message: 'must be a UUID' };
  });
}

export function FreeFormObject(options: About): PropertyDecorator {
  return field(options, { type: 'object', additionalProperties: true }, freeFormProblem);
}

/** A whole number; in a query it arrives as text and becomes a number only when every character is a digit. */
export function Integer(options: About & { min: number; max?: number }): PropertyDecorator {
  const { min, max = Number.MAX_SAFE_INTEGER } = options;
  const check: DeclaredField['check'] = (value) => {
    if (!Number.isSafeInteger(value)) return wrongType('a whole number');
    return (value as number) >= min && (value as number) <= max
      ? undefined
      : { code: 'out_of_range', message: `must be from ${min} to ${max}` };
  };
  return field(options, { type: 'integer', minimum: min, ...(options.max !== undefined && { maximum: max }) }, check, (value) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  );
}

/** A field of an answer that is an object or a list of objects of another class. */
export function Nested(type: Type<unknown>, options: About): PropertyDecorator {
  return field(options, { type });
}

/** A field of an answer that is a list of objects of another class. */
export function ListOf(type: Type<unknown>, options: About): PropertyDecorator {
  return field(options, { type: [type] });
}

/** A field of an answer that is an object of whole numbers, by names that are not known beforehand. */
export function IntegersByName(options: About): PropertyDecorator {
  return field(options, { type: 'object', additionalProperties: { type: 'integer' } });
}

/** True or false, in a query as these words. With `only` it can say but one thing. */
export function Flag(options: About & { only?: boolean }): PropertyDecorator {
  const { only } = options;
  const check: DeclaredField['check'] = (value) => {
    if (typeof value !== 'boolean') return wrongType('true or false');
    return only === undefined || value === only ? undefined : { code: 'not_allowed', message: `must be ${only}` };
  };
  return field(options, { type: Boolean, ...(only !== undefined && { enum: [only] }) }, check, (value) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
}

/** One or more of the values, none twice. They are asked for late: not all may be known when the class is read. */
export function SetOf(values: () => readonly string[], options: About): PropertyDecorator {
  return field(options, { type: String, isArray: true, enum: () => [...values()], minItems: 1, uniqueItems: true }, (value) => {
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) return wrongType('a list of texts');
    if (value.length === 0) return { code: 'too_short', message: 'must have at least one item' };
    if (new Set(value).size < value.length) return { code: 'repeated', message: 'must not have an item twice' };
    return value.every((item) => values().includes(item as string))
      ? undefined
      : { code: 'not_allowed', message: `must be of ${values().join(', ')}` };
  });
}

export function TextList(options: About): PropertyDecorator {
  return field(options, { type: [String] });
}

export function UuidList(options: About): PropertyDecorator {
  return field(options, { type: 'array', items: { type: 'string', format: 'uuid' } });
}

/** Writes the ids of a valid request as the database gives them back: equal ids are then equal texts. */
export function unifyIds(valid: object): void {
  const values = valid as Record<string, unknown>;
  for (const type of lineageOf(valid.constructor)) {
    for (const [key, { schema }] of declared.get(type) ?? [])
      if (schema.format === 'uuid' && typeof values[key] === 'string') values[key] = values[key].toLowerCase();
  }
}

/** A class and those it extends, whose fields it has too. */
export function* lineageOf(type: object): Generator<object> {
  for (
    let current: object | null = type;
    current && current !== Function.prototype;
    current = Object.getPrototypeOf(current) as object | null
  )
    yield current;
}

type Constructor<T> = new () => T;
export type AllFields<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };

/** The fields of a request class as an answer has them: every one present. */
export function Complete<T extends object>(base: Constructor<T>): Constructor<AllFields<T>> {
  class CompleteFields {}
  copyFields(base, CompleteFields, { optional: false });
  return CompleteFields as Constructor<AllFields<T>>;
}

/** The fields of a create request as a change has them: none required, and what is left out has no default but stays. */
export function Changes<T extends object>(base: Constructor<T>): Constructor<Partial<T>> {
  class ChangedFields {}
  copyFields(base, ChangedFields, { optional: true, default: undefined });
  return ChangedFields;
}

/** The fields of two classes in one. */
export function Both<A extends object, B extends object>(first: Constructor<A>, second: Constructor<B>): Constructor<A & B> {
  class BothFields {}
  for (const base of [first, second]) copyFields(base, BothFields);
  return BothFields as Constructor<A & B>;
}

/** The fields of a class except some. */
export function Without<T extends object, K extends keyof T & string>(base: Constructor<T>, left: readonly K[]): Constructor<Omit<T, K>> {
  class OtherFields {}
  copyFields(base, OtherFields, {}, left);
  return OtherFields as Constructor<Omit<T, K>>;
}

function copyFields(from: object, to: object, changed: Partial<About> = {}, left: readonly string[] = []): void {
  for (const [key, declaration] of declared.get(from) ?? [])
    if (!left.includes(key)) declare(to, key, { ...declaration, about: { ...declaration.about, ...changed } });
}
