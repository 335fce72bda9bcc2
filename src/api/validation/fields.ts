import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
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

interface Problem {
  code: string;
  message: string;
}

type Build = (changed: Partial<About>) => PropertyDecorator;

/** The fields of a class that hold ids, by its prototype. */
const idFields = new Map<object, Set<string>>();

/** The decorators of a class's fields, kept so that `Complete` and `Changes` can apply them to another class. */
const declared = new Map<object, Map<string, Build>>();

/**
 * One decorator is validation (class-validator) and documentation (OpenAPI) of a field at once, so the two cannot differ.
 * The name of the constraint is the error's code.
 */
function field(about: About, schema: ApiPropertyOptions, check: (value: unknown) => Problem | undefined): PropertyDecorator {
  const build: Build = (changed) => (target, key) => {
    const { about: description, example, default: fallback, optional = false, nullable = false } = { ...about, ...changed };
    const documented = { description, example, required: !optional, ...(nullable && { nullable }), default: fallback, ...schema };
    ApiProperty(documented as ApiPropertyOptions)(target, key);
    if (schema.format === 'uuid') idFields.set(target, (idFields.get(target) ?? new Set()).add(String(key)));
    ValidateIf((_object, value) => !(value === undefined && optional) && !(value === null && nullable))(target, key);
    const problemOf = (value: unknown) => (value === undefined ? { code: 'required', message: 'is required' } : check(value));
    ValidateBy({
      name: 'field',
      validator: { validate: (value) => problemOf(value) === undefined, defaultMessage: (args) => encode(problemOf(args!.value)!) },
    })(target, key);
  };
  return (target, key) => {
    const fields = declared.get(target.constructor) ?? new Map<string, Build>();
    declared.set(target.constructor, fields.set(String(key), build));
    build({})(target, key);
  };
}

// class-validator carries messages only, so code and message travel as one text and are taken apart again.
const encode = ({ code, message }: Problem): string => `${code}: ${message}`;
export function decodeProblem(text: string): Problem {
  const [code, message] = text.split(/: (.*)/s);
  return { code: code!, message: message! };
}

const wrongType = (expected: string): Problem => ({ code: 'wrong_type', message: `must be ${expected}` });

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
  return field({ example: '2026-03-01T09:30:00.000Z', ...options }, { type: String, format: 'date-time' }, () => undefined);
}

/** A point in time that is asked for; what arrives is its form in UTC. */
export function DateTime(options: About): PropertyDecorator {
  const documented = field(options, { type: String, format: 'date-time' }, (value) => {
    if (typeof value !== 'string') return wrongType('a time as text, like 2026-03-01T09:30:00Z');
    return utcTime(value) === undefined
      ? { code: 'invalid_time', message: 'must be a time with its offset, like 2026-03-01T09:30:00Z (in an address, + is written %2B)' }
      : undefined;
  });
  return (target, key) => {
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (utcTime(value) ?? value) : value))(target, key);
    documented(target, key);
  };
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
  const documented = field(options, { type: 'integer', minimum: min, ...(options.max !== undefined && { maximum: max }) }, (value) => {
    if (!Number.isSafeInteger(value)) return wrongType('a whole number');
    return (value as number) >= min && (value as number) <= max
      ? undefined
      : { code: 'out_of_range', message: `must be from ${min} to ${max}` };
  });
  return (target, key) => {
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value))(target, key);
    documented(target, key);
  };
}

/** A field of an answer that is an object or a list of objects of another class. */
export function Nested(type: Type<unknown>, options: About): PropertyDecorator {
  return field(options, { type }, () => undefined);
}

/** True or false, in a query as these words. With `only` it can say but one thing. */
export function Flag(options: About & { only?: boolean }): PropertyDecorator {
  const { only } = options;
  const documented = field(options, { type: Boolean, ...(only !== undefined && { enum: [only] }) }, (value) => {
    if (typeof value !== 'boolean') return wrongType('true or false');
    return only === undefined || value === only ? undefined : { code: 'not_allowed', message: `must be ${only}` };
  });
  return (target, key) => {
    Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))(target, key);
    documented(target, key);
  };
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
  return field(options, { type: [String] }, () => undefined);
}

export function UuidList(options: About): PropertyDecorator {
  return field(options, { type: 'array', items: { type: 'string', format: 'uuid' } }, () => undefined);
}

/** Writes the ids of a valid request as the database gives them back: equal ids are then equal texts. */
export function unifyIds(valid: object): void {
  const values = valid as Record<string, unknown>;
  // A class has the fields of those it extends.
  for (let type: unknown = Object.getPrototypeOf(valid); type; type = Object.getPrototypeOf(type)) {
    for (const key of idFields.get(type) ?? []) if (typeof values[key] === 'string') values[key] = values[key].toLowerCase();
  }
}

type Constructor<T> = new () => T;
export type AllFields<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };

/** The fields of a request class as an answer has them: every one present. */
export function Complete<T extends object>(base: Constructor<T>): Constructor<AllFields<T>> {
  class CompleteFields {}
  for (const [key, build] of declared.get(base) ?? []) build({ optional: false })(CompleteFields.prototype, key);
  return CompleteFields as Constructor<AllFields<T>>;
}

/** The fields of a create request as a change has them: none required, and what is left out has no default but stays. */
export function Changes<T extends object>(base: Constructor<T>): Constructor<Partial<T>> {
  class ChangedFields {}
  for (const [key, build] of declared.get(base) ?? []) build({ optional: true, default: undefined })(ChangedFields.prototype, key);
  return ChangedFields;
}
