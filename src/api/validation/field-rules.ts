import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import { fieldsOf, type FieldDeclaration, type FieldProblem } from './field.js';

const known = new WeakSet<object>();

/** Declares the fields of a request class to class-validator and class-transformer, once. */
export function applyRules(prototype: object): void {
  if (known.has(prototype)) return;
  known.add(prototype);
  for (const [name, declaration] of fieldsOf(prototype)) for (const decorate of rules(declaration)) decorate(prototype, name);
}

function rules(declaration: FieldDeclaration): PropertyDecorator[] {
  const { optional = false, nullable = false } = declaration.about;
  const { fromQuery } = declaration;
  return [
    ...(fromQuery ? [Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? fromQuery(value) : value))] : []),
    ValidateIf((_object, value) => !(value === undefined && optional) && !(value === null && nullable)),
    // class-validator only says which fields are invalid; `problemOf` says why, by a code and a message.
    ValidateBy({ name: 'field', validator: { validate: (value) => problemWith(declaration, value) === undefined } }),
  ];
}

function problemWith({ check }: FieldDeclaration, value: unknown): FieldProblem | undefined {
  return value === undefined ? { code: 'required', message: 'is required' } : check(value);
}

/** What is wrong with an invalid field of a request class. */
export function problemOf(prototype: object, name: string, value: unknown): FieldProblem {
  const declaration = fieldsOf(prototype).get(name);
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
