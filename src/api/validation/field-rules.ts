import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import { declaredFields, lineageOf, type DeclaredField, type FieldProblem } from './fields.js';

const known = new WeakSet<object>();

/** Tells class-validator and class-transformer the fields of a class and of those it extends, before its first use. */
export function applyRules(type: object): void {
  if (known.has(type)) return;
  for (const current of lineageOf(type)) {
    if (known.has(current)) return;
    known.add(current);
    const { prototype } = current as { prototype: object };
    for (const [key, field] of declaredFields.get(current) ?? []) applyRule(prototype, key, field);
  }
}

/** The name of the constraint is the error's code. */
function applyRule(prototype: object, key: string, { about, check, read }: DeclaredField): void {
  const { optional = false, nullable = false } = about;
  if (read) Transform(({ value }: { value: unknown }) => read(value))(prototype, key);
  ValidateIf((_object, value) => !(value === undefined && optional) && !(value === null && nullable))(prototype, key);
  const problemOf = (value: unknown) => (value === undefined ? { code: 'required', message: 'is required' } : check(value));
  ValidateBy({
    name: 'field',
    validator: { validate: (value) => problemOf(value) === undefined, defaultMessage: (args) => encode(problemOf(args!.value)!) },
  })(prototype, key);
}

// class-validator carries messages only, so code and message travel as one text and are taken apart again.
const encode = ({ code, message }: FieldProblem): string => `${code}: ${message}`;
export function decodeProblem(text: string): FieldProblem {
  const [code, message] = text.split(/: (.*)/s);
  return { code: code!, message: message! };
}
