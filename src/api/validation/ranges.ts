import type { Type } from '@nestjs/common';
import { moneyOf } from '../../kernel/money.js';
import { snakeCase } from '../../kernel/text.js';
import type { RangeKind } from '../../store/database/columns.js';
import { declaredFields, field, type FieldDeclaration, type RangeValue } from './field.js';

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

/** `orderedOn` is found by `ordered_on_from` and `ordered_on_to`. */
export type Ranges<Create, Name extends keyof Create & string> = {
  [Field in Name as `${Snake<Field>}_${'from' | 'to'}`]?: NonNullable<Create[Field]>;
};

/** The conditions of a query for `page` of a repository. */
export type RangeFilters = Readonly<Record<string, string | undefined>>;

const SAID: Readonly<Record<RangeKind, readonly [from: string, to: string, before: string]>> = {
  number: ['Only with this value or a greater one.', 'Only with this value or a smaller one.', 'less than'],
  day: ['Only with this day or a later one.', 'Only with this day or an earlier one.', 'before'],
  time: ['Only with this time or a later one.', 'Only with this time or an earlier one.', 'before'],
};

const kindOf = ({ column, schema }: FieldDeclaration): RangeKind | undefined => {
  if (column === 'numeric' || schema.type === 'integer') return 'number';
  return schema.format === 'date' ? 'day' : schema.format === 'date-time' ? 'time' : undefined;
};

/** Times in UTC differ in how many decimals they have, before their Z. */
const comparable = (value: RangeValue, kind?: RangeKind): string => (kind === 'time' ? String(value).replace(/Z$/, '') : String(value));

const isBefore = (kind: RangeKind) => (end: RangeValue, from: RangeValue) =>
  kind === 'number' ? moneyOf(String(end)) < moneyOf(String(from)) : comparable(end, kind) < comparable(from, kind);

/** Of two fields, one may be called as a range of the other is: `paidTo` and a range of `paid`. */
export function requireNewFilter(query: Type<object>, parameter: string): void {
  if (declaredFields.get(query.prototype as object)?.has(parameter)) throw new Error(`There are two filters ${parameter}.`);
}

/** Adds both filters of a range to a class of queries. Both ends are included, whatever is between them. */
export function offerRange(query: Type<object>, parameter: string, name: string, declaration: FieldDeclaration | undefined): RangeKind {
  const kind = declaration && kindOf(declaration);
  if (!kind) throw new Error(`There are no ranges of ${name}: it is no number, amount, day or time.`);
  const prototype = query.prototype as object;
  const [from, to, before] = SAID[kind];
  const offered = { optional: true, nullable: false, default: undefined } as const;
  const declare = (end: string, about: string, more: Partial<FieldDeclaration> = {}): void => {
    requireNewFilter(query, end);
    field({ ...declaration, ...more, about: { ...declaration.about, about, ...offered } })(prototype, end);
  };
  declare(`${parameter}_from`, `${from} ${declaration.about.about}`);
  declare(`${parameter}_to`, to, { range: { from: `${parameter}_from`, before, isBefore: isBefore(kind) } });
  return kind;
}

type Condition = readonly [compared: string, value: string | undefined];

/** Both ends of a range in a query, as conditions on a property of the row. */
export function rangeIn(query: object, parameter: string, property: string, kind?: RangeKind): Condition[] {
  const values = query as Readonly<Record<string, RangeValue | undefined>>;
  return ENDS.map(([end, comparison]) => {
    const value = values[`${parameter}_${end}`];
    return [`${property}${comparison}`, value === undefined ? undefined : comparable(value, kind)];
  });
}
const ENDS = [
  ['from', '>='],
  ['to', '<='],
] as const;

/** A class of queries with a range for each of these fields of a record; `rangesIn` gives the conditions of one. */
export function WithRanges<Query extends object, Create extends object, Name extends keyof Create & string>(
  query: new () => Query,
  create: Type<Create>,
  names: readonly Name[],
): (new () => Query & Ranges<Create, Name>) & { readonly rangesIn: (query: object) => RangeFilters } {
  class Ranged extends (query as new () => object) {
    static rangesIn(asked: object): RangeFilters {
      return Object.fromEntries(names.flatMap((name) => rangeIn(asked, snakeCase(name), name)));
    }
  }
  const fields = declaredFields.get(create.prototype as object) ?? new Map<string, FieldDeclaration>();
  for (const name of names) offerRange(Ranged, snakeCase(name), name, fields.get(name));
  return Ranged as unknown as ReturnType<typeof WithRanges<Query, Create, Name>>;
}
