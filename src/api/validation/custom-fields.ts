import type { Type } from '@nestjs/common';
import { Index } from 'typeorm';
import { FREE_FORM_MAX_BYTES } from '../../kernel/json.js';
import { Problem } from '../../kernel/problems.js';
import { snakeCase } from '../../kernel/text.js';
import { utcTime } from '../../kernel/time.js';
import { CUSTOM_FIELDS, customFilter, customIndexName, customRange, extendTable } from '../../store/database/columns.js';
import type { CustomValues, RangeKind } from '../../store/database/columns.js';
import { relate } from '../../store/tenant/relations.js';
import { declaredFields, field, type FieldDeclaration, type FieldProblem, redeclare } from './field.js';
import { Nested, problemsOfObject } from './fields.js';
import { offerRange, rangeIn, requireNewFilter } from './ranges.js';

export interface CustomFieldOptions<Name extends string> {
  /** Those by which lists can be filtered, besides ids of records. Each needs its index: `customFieldIndex`. */
  readonly filters?: readonly Name[];
  /** Those by which lists can be filtered from one value to another. Each needs its index: `customFieldIndex` with `range`. */
  readonly ranges?: readonly Name[];
  /** Texts that the search of lists looks through, too. */
  readonly search?: readonly Name[];
}

/** Custom fields as their declaration types them. */
export interface CustomFieldsOf<Fields> {
  /** Those of an input, a record or a row. What is not set is null or missing. */
  of(value: object): { readonly [Name in keyof Fields]?: Fields[Name] | null };
}

/** A record that extensions can give fields to, by its table. */
interface Place {
  readonly table: string;
  readonly entity: Type<object>;
  /** The classes of requests that take them. */
  readonly inputs: readonly Type<object>[];
  /** The classes that show the record. Those that extend one of them are not named. */
  readonly answers: readonly [Type<object>, ...Type<object>[]];
  /** The class of the query of its list. */
  readonly list?: Type<object>;
}

interface Declared {
  readonly input: Type<object>;
  readonly answer: Type<object>;
  readonly names: string[];
  readonly filters: string[];
  readonly ranges: Map<string, RangeKind>;
  readonly search: string[];
}

export interface Extended {
  readonly customFields?: CustomValues;
}

const NOTHING: object = Object.freeze({});
const NONE: ReadonlyMap<string, FieldDeclaration> = new Map();
const MAX_FIELDS = 50;
const places = new Map<string, CustomFields>();

/**
 * Declares custom fields of records of the product, by the name of their table. Each may be left out and may be null: older records
 * do not have it. To be called while files are loaded. A bad declaration keeps the process from starting.
 */
export function customFields<Fields extends object>(
  table: string,
  type: new () => Fields,
  options: CustomFieldOptions<keyof Fields & string> = {},
): CustomFieldsOf<Fields> {
  placeOf(table).declare(type, options);
  return { of: (value) => ((value as Extended).customFields ?? {}) as { [Name in keyof Fields]?: Fields[Name] | null } };
}

const placeOf = (table: string): CustomFields => {
  const place = places.get(table);
  if (!place) throw new Error(`${table} has no custom fields: only ${[...places.keys()].join(', ')} have.`);
  return place;
};

/** The fields that extensions add to a record. Mostly there are none. */
export class CustomFields {
  /** Those of the product are not declared with it. So pages show these alone. */
  readonly fields = NONE;
  private declared: Declared | undefined;

  constructor(private readonly place: Place) {
    places.set(place.table, this);
  }

  declare(type: Type<object>, { filters: asked = [], ranges = [], search = [] }: CustomFieldOptions<string>): void {
    const { table } = this.place;
    const fields = declaredFields.get(type.prototype as object) ?? new Map<string, FieldDeclaration>();
    const known = (this.declared ??= this.prepared());
    requireGood([...fields.keys()], known.names, table);
    redeclare(type, known.input, { optional: true, nullable: true, default: undefined });
    redeclare(type, known.answer, { optional: false, nullable: true, default: undefined }, { asAnswer: true });
    const relations = [...fields].flatMap(([name, { recordOf }]) => (recordOf ? [[name, recordOf] as const] : []));
    const filters = [...new Set([...asked, ...relations.map(([name]) => name)])];
    for (const [name, to] of relations) relate(table, customFilter(name), to);
    known.names.push(...fields.keys());
    known.filters.push(...filters);
    known.search.push(...search);
    for (const name of filters) this.offerFilter(name, fields.get(name));
    if (search.length > 0) this.describeSearch(search);
    for (const name of ranges) known.ranges.set(name, this.offerRange(name, fields.get(name)));
    extendTable(table, filters, known.ranges);
  }

  /** Those of extensions, as a request takes them, by name. */
  get inputs(): ReadonlyMap<string, FieldDeclaration> {
    return (this.declared && declaredFields.get(this.declared.input.prototype as object)) ?? NONE;
  }

  /** Those of extensions in an answer, and in the input for a copy of a record. */
  shown(row: Extended): object {
    if (!this.declared) return NOTHING;
    const { customFields: values } = row;
    if (!values) throw new Error(`A row of ${this.place.table} was read without its custom fields.`);
    return { customFields: Object.fromEntries(this.declared.names.map((name) => [name, values[name] ?? null])) };
  }

  /** Those of extensions in a row: those that a change leaves out keep their value, and null removes one. */
  stored(input: object, before: object = NOTHING): Extended {
    if (!this.declared) return NOTHING;
    const values = Object.entries({ ...(before as Extended).customFields, ...(input as Extended).customFields });
    const kept = values.filter(([, value]) => value !== null && value !== undefined);
    return { customFields: Object.fromEntries(kept.map(([name, value]) => [name, this.asStored(name, value)])) };
  }

  /** Of a change that no class of requests has checked, because a service or a page makes it. */
  requireValid({ customFields: values }: Extended): void {
    if (values === undefined) return;
    const problems = problemsOf(this.declared?.input ?? Object, values);
    const errors = problems.map(({ path = '', ...problem }) => ({ location: 'body' as const, field: CUSTOM_FIELDS + path, ...problem }));
    if (errors.length > 0) throw Problem.validation(errors);
  }

  /** Compared as texts, times are in UTC, also one that a hook has set, and ids in small letters. */
  private asStored(name: string, value: unknown): unknown {
    const declaration = this.inputs.get(name);
    if (typeof value !== 'string' || !declaration) return value;
    if (declaration.recordOf) return value.toLowerCase();
    return declaration.schema.format === 'date-time' ? (utcTime(value) ?? value) : value;
  }

  /** The filters of a list by fields of extensions, by what they compare. */
  filters(query: object): Readonly<Record<string, string | undefined>> {
    if (!this.declared) return NOTHING as Record<string, never>;
    const { filters, ranges } = this.declared;
    const values = query as Record<string, string | number | boolean | undefined>;
    const textOf = (value: string | number | boolean | undefined) => (value === undefined ? undefined : String(value));
    const equal = filters.map((name) => [customFilter(name), this.asStored(name, textOf(values[parameterOf(name)]))] as const);
    const within = [...ranges].flatMap(([name, kind]) => rangeIn(query, parameterOf(name), customRange(name), kind));
    return Object.fromEntries([...equal, ...within]) as Record<string, string | undefined>;
  }

  searched({ customFields: values = {} }: Extended): (string | null)[] {
    return (this.declared?.search ?? []).map((name) => (values[name] as string | undefined) ?? null);
  }

  /** Adds the field to the classes of the resource. Their fields are declared one by one. */
  private prepared(): Declared {
    const { inputs, answers } = this.place;
    const name = answers[0].name.replace(/Dto$/, '');
    const classes = { input: classCalled(`${name}CustomFieldsInput`), answer: classCalled(`${name}CustomFields`) };
    const about = 'Fields that this installation adds.';
    const input: FieldDeclaration = {
      about: { about: `${about} Those left out keep their value.`, optional: true },
      schema: { type: classes.input },
      of: classes.input,
      check: (value) => problemsOf(classes.input, value),
    };
    for (const type of inputs) field(input)(type.prototype as object, CUSTOM_FIELDS);
    for (const type of answers) Nested(classes.answer, { about })(type.prototype as object, CUSTOM_FIELDS);
    return { ...classes, names: [], filters: [], ranges: new Map(), search: [] };
  }

  private offerFilter(name: string, declaration: FieldDeclaration | undefined): void {
    const { table, entity } = this.place;
    const list = this.requireList(name);
    if (!declaration || !isScalar(declaration)) throw new Error(`${table} cannot be filtered by ${name}: it is no text, number or flag.`);
    requireNewFilter(list, parameterOf(name));
    const about = { ...declaration.about, about: `Only with this value. ${declaration.about.about}`, optional: true, nullable: false };
    field({ ...declaration, about: { ...about, default: undefined } })(list.prototype as object, parameterOf(name));
    // Made by a migration of the extension.
    Index(customIndexName(table, name), { synchronize: false })(entity);
  }

  private offerRange(name: string, declaration: FieldDeclaration | undefined): RangeKind {
    const kind = offerRange(this.requireList(name), parameterOf(name), `${name} of ${this.place.table}`, declaration);
    Index(customIndexName(this.place.table, name, true), { synchronize: false })(this.place.entity);
    return kind;
  }

  private requireList(name: string): Type<object> {
    const { table, list } = this.place;
    if (!list) throw new Error(`${table} cannot be filtered by ${name}: its list has no filters.`);
    return list;
  }

  private describeSearch(names: readonly string[]): void {
    const list = this.requireList(names[0]!).prototype as object;
    const search = declaredFields.get(list)?.get('search');
    if (!search) throw new Error(`The list of ${this.place.table} has no search.`);
    const also = `Also searched: ${names.map((name) => `\`${CUSTOM_FIELDS}.${name}\``).join(', ')}.`;
    field({ ...search, about: { ...search.about, about: `${search.about.about} ${also}` } })(list, 'search');
  }
}

function problemsOf(type: Type<object>, value: unknown): readonly FieldProblem[] {
  const problems = problemsOfObject(type, value);
  const isTooLarge = problems.length === 0 && Buffer.byteLength(JSON.stringify(value)) > FREE_FORM_MAX_BYTES;
  return isTooLarge ? [{ code: 'too_large', message: `must have at most ${FREE_FORM_MAX_BYTES} bytes as JSON` }] : problems;
}

/** A filter is in snake case, as others are, and cannot be one that the product has, or will have. */
export const parameterOf = (name: string): string => `custom_fields.${snakeCase(name)}`;

export const isScalar = ({ schema }: FieldDeclaration): boolean =>
  ([String, Number, Boolean, 'integer', 'string'] as unknown[]).includes(schema.type) && !('isArray' in schema);

function requireGood(names: readonly string[], known: readonly string[], table: string): void {
  if (names.length === 0) throw new Error(`The class of custom fields of ${table} declares none.`);
  for (const name of names) {
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) throw new Error(`The custom field ${name} of ${table} must look like costCentre.`);
    if (known.includes(name)) throw new Error(`The custom field ${name} of ${table} is declared twice.`);
  }
  if (known.length + names.length > MAX_FIELDS) throw new Error(`${table} has more than ${MAX_FIELDS} custom fields.`);
}

function classCalled(name: string): Type<object> {
  class Fields {}
  Object.defineProperty(Fields, 'name', { value: name });
  return Fields;
}
