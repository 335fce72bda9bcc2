import type { Type } from '@nestjs/common';
import { pathBelow } from '../../kernel/json.js';
import { field, fieldsOf, problemsWith, type About, type FieldDeclaration, type FieldProblem } from './field.js';
import { Currency, Money } from './text-forms.js';

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
      if (!Array.isArray(value)) return { code: 'wrong_type', message: 'must be a list of objects' };
      if (value.length < min) return { code: 'too_short', message: `must have at least ${min} item${min === 1 ? '' : 's'}` };
      if (value.length > max) return { code: 'too_many', message: `must have at most ${max} items` };
      return value.flatMap((item, index) => within(`[${index}]`, problemsOfObject(type, item)));
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ code: 'wrong_type', message: 'must be an object' }];
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
