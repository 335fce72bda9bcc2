import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';

/** What every field declares. `about` is its documentation for integrators. */
export interface About {
  about: string;
  example?: unknown;
  optional?: boolean;
  nullable?: boolean;
  default?: unknown;
}

/** What is wrong with a value: a code for programs and a message for people. */
export interface FieldProblem {
  readonly code: string;
  readonly message: string;
}

export interface FieldDeclaration {
  readonly about: About;
  readonly schema: ApiPropertyOptions;
  readonly check: (value: unknown) => FieldProblem | undefined;
  /** Converts a value of a query, where everything arrives as text. */
  readonly fromQuery?: (value: string) => unknown;
}

type Fields = Map<string, FieldDeclaration>;

/** The fields that each class declares itself, by its prototype. */
const declaredFields = new WeakMap<object, Fields>();
/** The same with the fields that the class inherits. */
const allFields = new WeakMap<object, Fields>();

/** Declares a field. One declaration is both its validation (class-validator) and its documentation (OpenAPI). */
export function field(declaration: FieldDeclaration): PropertyDecorator {
  return (prototype, key) => {
    const declared = declaredFields.get(prototype) ?? new Map<string, FieldDeclaration>();
    declaredFields.set(prototype, declared.set(String(key), declaration));
    document(declaration)(prototype, key);
    validate(declaration)(prototype, key);
  };
}

function document({ about, schema }: FieldDeclaration): PropertyDecorator {
  const { about: description, example, default: fallback, optional = false, nullable = false } = about;
  const documented = { description, example, required: !optional, ...(nullable && { nullable }), default: fallback, ...schema };
  return ApiProperty(documented as ApiPropertyOptions);
}

function validate(declaration: FieldDeclaration): PropertyDecorator {
  const { optional = false, nullable = false } = declaration.about;
  const { fromQuery } = declaration;
  return (prototype, key) => {
    if (fromQuery) Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? fromQuery(value) : value))(prototype, key);
    ValidateIf((_object, value) => !(value === undefined && optional) && !(value === null && nullable))(prototype, key);
    // class-validator only says which fields are invalid; `problemOf` says why, by a code and a message.
    ValidateBy({ name: 'field', validator: { validate: (value) => problemWith(declaration, value) === undefined } })(prototype, key);
  };
}

function problemWith({ check }: FieldDeclaration, value: unknown): FieldProblem | undefined {
  return value === undefined ? { code: 'required', message: 'is required' } : check(value);
}

/** What is wrong with an invalid field of a request class. */
export function problemOf(type: object, name: string, value: unknown): FieldProblem {
  const declaration = fieldsOf(type).get(name);
  return (declaration && problemWith(declaration, value)) ?? { code: 'not_allowed', message: 'is not allowed' };
}

/** Writes the ids of a valid request in lower case, as the database returns them: equal ids are then equal texts. */
export function lowerCaseIds(valid: object): void {
  const values = valid as Record<string, unknown>;
  for (const [name, { schema }] of fieldsOf(Object.getPrototypeOf(valid) as object)) {
    const value = values[name];
    if (schema.format === 'uuid' && typeof value === 'string') values[name] = value.toLowerCase();
  }
}

/** Declares the fields of one class in another one as well, with some changes. */
export function redeclare(from: Type<object>, to: Type<object>, changes: Partial<About>): void {
  for (const [name, declaration] of declaredFields.get(from.prototype as object) ?? [])
    field({ ...declaration, about: { ...declaration.about, ...changes } })(to.prototype as object, name);
}

/** All fields of a class, with those that it inherits. Asked with every request, so the answer is kept. */
function fieldsOf(prototype: object): Fields {
  const known = allFields.get(prototype);
  if (known) return known;
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const all: Fields = new Map([...(parent ? fieldsOf(parent) : []), ...(declaredFields.get(prototype) ?? [])]);
  allFields.set(prototype, all);
  return all;
}
