import type { Type } from '@nestjs/common';
import { Index } from 'typeorm';
import { deepFrozen, FREE_FORM_MAX_BYTES, parsedJson } from '../../kernel/json.js';
import { counter } from '../../kernel/metrics.js';
import { Problem } from '../../kernel/problems.js';
import { snakeCase } from '../../kernel/text.js';
import { utcTime } from '../../kernel/time.js';
import { CUSTOM_FIELDS, customFilter, customIndexName, customRange, extendTable } from '../../store/database/columns.js';
import type { CustomValues, RangeKind } from '../../store/database/columns.js';
import { relate } from '../../store/tenant/relations.js';
import { declaredFields, field, type FieldDeclaration, type FieldProblem, problemsWith, redeclare } from './field.js';
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
  /** With a list: its indexes are declared there. */
  readonly entity?: Type<object>;
  /** The classes of requests that take them. */
  readonly inputs: readonly Type<object>[];
  /** The classes that show the record. Those that extend one of them are not named. */
  readonly answers: readonly [Type<object>, ...Type<object>[]];
  /** The class of the query of its list. */
  readonly list?: Type<object>;
}

/** The classes that show records, by table: for the compiler. src/extension-api.ts names them. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface CustomRecords {}

/** For each field a pure function of the record as it is answered, frozen, with its other custom fields. null: it has none. */
export type Computing<Fields, Answer> = { readonly [Name in keyof Fields]: (record: Readonly<Answer>) => Fields[Name] | null };

interface Computed {
  readonly declaration: FieldDeclaration;
  readonly compute: (record: never) => unknown;
}

interface Declared {
  readonly input: Type<object>;
  readonly answer: Type<object>;
  readonly names: string[];
  readonly filters: string[];
  readonly ranges: Map<string, RangeKind>;
  readonly search: string[];
  readonly computed: Map<string, Computed>;
}

export interface Extended {
  readonly customFields?: CustomValues;
}

const ABOUT = 'Fields that this installation adds.';
const NOTHING: object = Object.freeze({});
const NONE: ReadonlyMap<string, FieldDeclaration> = new Map();
const MAX_FIELDS = 50;
const places = new Map<string, CustomFields>();
const FAILED = counter('computed_fields_failed_total', 'Values of computed fields of extensions that were left out: null instead.', [
  'table',
  'field',
]);
const told = new Set<string>();

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

/**
 * Declares fields of answers that are made of the record whenever it is shown, and never kept: no request takes them, and no list is
 * filtered by them. Values from other records are kept by a hook instead. One that fails is null: see the metric, and the warning.
 */
export function computedFields<Table extends keyof CustomRecords, Fields extends object>(
  table: Table,
  type: new () => Fields,
  computing: Computing<Fields, CustomRecords[Table]>,
): void {
  placeOf(table).compute(type, computing);
}

const placeOf = (table: string): CustomFields => {
  const place = places.get(table);
  if (!place) throw new Error(`${table} has no custom fields: only ${[...places.keys()].join(', ')} have.`);
  return place;
};

/** The fields that extensions add to a record. Mostly there are none. */
export class CustomFields {
  /** None of its own: forms and pages take it for the fields of a record. */
  readonly fields = NONE;
  private declared: Declared | undefined;

  constructor(private readonly place: Place) {
    places.set(place.table, this);
  }

  declare(type: Type<object>, { filters: asked = [], ranges = [], search = [] }: CustomFieldOptions<string>): void {
    const { table } = this.place;
    const { known, fields } = this.added(type);
    if (known.names.length === 0) this.offerInput(known.input);
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

  compute(type: Type<object>, computing: Computing<object, never>): void {
    const { known, fields } = this.added(type);
    for (const [name, declaration] of fields) {
      const { schema, answerSchema = schema, about } = declaration;
      const compute = (computing as Readonly<Record<string, Computed['compute'] | undefined>>)[name];
      if (!compute) throw new Error(`The computed field ${name} of ${this.place.table} has no function.`);
      const answered = { ...about, optional: false, nullable: true, default: undefined };
      field({ ...declaration, schema: { ...answerSchema, readOnly: true }, about: answered })(known.answer.prototype as object, name);
      known.computed.set(name, { declaration, compute });
    }
  }

  private added(type: Type<object>) {
    const fields = declaredFields.get(type.prototype as object) ?? NONE;
    const known = (this.declared ??= this.prepared());
    requireGood([...fields.keys()], [...known.names, ...known.computed.keys()], this.place.table);
    return { known, fields };
  }

  /** Those of extensions, as an answer has them, by name. */
  get outputs(): ReadonlyMap<string, FieldDeclaration> {
    return (this.declared && declaredFields.get(this.declared.answer.prototype as object)) ?? NONE;
  }

  get answers(): Type<object> {
    return this.place.answers[0];
  }

  /** Those of extensions, as a request takes them, by name. */
  get inputs(): ReadonlyMap<string, FieldDeclaration> {
    return (this.declared && declaredFields.get(this.declared.input.prototype as object)) ?? NONE;
  }

  /** Those that are kept, in the input for a copy of a record. */
  shown(row: object): Extended {
    if (!this.declared || this.declared.names.length === 0) return NOTHING;
    const { customFields: values } = row as Extended;
    if (!values) throw new Error(`A row of ${this.place.table} was read without its custom fields.`);
    return { customFields: Object.fromEntries(this.declared.names.map((name) => [name, values[name] ?? null])) };
  }

  /** An answer with those of its row. */
  answered<Answer extends object>(answer: Answer, row: object): Answer {
    if (!this.declared) return answer;
    const kept = { customFields: {}, ...this.shown(row) };
    const { computed } = this.declared;
    if (computed.size === 0) return { ...answer, ...kept };
    const record = deepFrozen({ ...answer, ...kept });
    const values = [...computed].map(([name, one]) => [name, this.computedBy(name, one, record)] as const);
    return { ...answer, customFields: { ...kept.customFields, ...Object.fromEntries(values) } };
  }

  private computedBy(name: string, { declaration, compute }: Computed, record: object): unknown {
    try {
      const value = asKept(declaration, compute(record as never));
      const [problem] = value === null ? [] : problemsWith(declaration, value);
      if (!problem) return value;
      throw new TypeError(`its value${problem.path ?? ''} ${problem.message}`);
    } catch (error) {
      const { table } = this.place;
      FAILED.inc({ table, field: name });
      if (!told.has(`${table}.${name}`)) process.emitWarning(`The computed field ${name} of ${table} is null: ${String(error)}`);
      told.add(`${table}.${name}`);
      return null;
    }
  }

  /** What no class of requests has checked, because a page or a service makes it, is checked as in a request. */
  requireValid(input: object): Extended {
    const { customFields } = input as Extended;
    const problems = customFields ? problemsOf(this.declared?.input ?? Object, customFields) : [];
    if (problems.length === 0) return input;
    throw Problem.validation(problems.map(({ path = '', ...rest }) => ({ location: 'body', field: CUSTOM_FIELDS + path, ...rest })));
  }

  /** Those of extensions in a row: those that a change leaves out keep their value, and null removes one. */
  stored(input: object, before: object = NOTHING): Extended {
    if (!this.declared || this.declared.names.length === 0) return NOTHING;
    const values = Object.entries({ ...(before as Extended).customFields, ...(input as Extended).customFields });
    const kept = values.filter(([, value]) => value !== null && value !== undefined);
    return { customFields: Object.fromEntries(kept.map(([name, value]) => [name, asKept(this.inputs.get(name), value)])) };
  }

  /** The filters of a list by fields of extensions, by what they compare. */
  filters(query: object): Readonly<Record<string, string | undefined>> {
    if (!this.declared) return NOTHING as Record<string, never>;
    const { filters, ranges } = this.declared;
    const values = query as Record<string, string | number | boolean | undefined>;
    const textOf = (value: string | number | boolean | undefined) => (value === undefined ? undefined : String(value));
    const equal = filters.map(
      (name) => [customFilter(name), asKept(this.inputs.get(name), textOf(values[parameterOf(name)])) ?? undefined] as const,
    );
    const within = [...ranges].flatMap(([name, kind]) => rangeIn(query, parameterOf(name), customRange(name), kind));
    return Object.fromEntries([...equal, ...within]) as Record<string, string | undefined>;
  }

  searched({ customFields: values = {} }: Extended): (string | null)[] {
    return (this.declared?.search ?? []).map((name) => (values[name] as string | undefined) ?? null);
  }

  /** Adds the field to the classes of the resource. Their fields are declared one by one. */
  private prepared(): Declared {
    const { answers } = this.place;
    const name = answers[0].name.replace(/Dto$/, '');
    const classes = { input: classCalled(`${name}CustomFieldsInput`), answer: classCalled(`${name}CustomFields`) };
    for (const type of answers) Nested(classes.answer, { about: ABOUT })(type.prototype as object, CUSTOM_FIELDS);
    return { ...classes, names: [], filters: [], ranges: new Map(), search: [], computed: new Map() };
  }

  private offerInput(type: Type<object>): void {
    const input: FieldDeclaration = {
      about: { about: `${ABOUT} Those left out keep their value.`, optional: true },
      schema: { type },
      of: type,
      // A form, or the query beside a file, has them as JSON.
      fromQuery: (text) => (text.length > FREE_FORM_MAX_BYTES ? text : parsedJson(text, () => text)),
      check: (value) => problemsOf(type, value),
    };
    for (const one of this.place.inputs) field(input)(one.prototype as object, CUSTOM_FIELDS);
  }

  private offerFilter(name: string, declaration: FieldDeclaration | undefined): void {
    const { table } = this.place;
    const { list, entity } = this.listed(name);
    if (!declaration || !isScalar(declaration)) throw new Error(`${table} cannot be filtered by ${name}: it is no text, number or flag.`);
    requireNewFilter(list, parameterOf(name));
    const about = { ...declaration.about, about: `Only with this value. ${declaration.about.about}`, optional: true, nullable: false };
    field({ ...declaration, about: { ...about, default: undefined } })(list.prototype as object, parameterOf(name));
    // Made by a migration of the extension.
    Index(customIndexName(table, name), { synchronize: false })(entity);
  }

  private offerRange(name: string, declaration: FieldDeclaration | undefined): RangeKind {
    const { list, entity } = this.listed(name);
    const kind = offerRange(list, parameterOf(name), `${name} of ${this.place.table}`, declaration);
    Index(customIndexName(this.place.table, name, true), { synchronize: false })(entity);
    return kind;
  }

  private listed(name: string) {
    const { table, list, entity } = this.place;
    if (!list || !entity) throw new Error(`${table} cannot be filtered by ${name}: its list has no filters.`);
    return { list, entity };
  }

  private describeSearch(names: readonly string[]): void {
    const list = this.listed(names[0]!).list.prototype as object;
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

/** Compared as texts, times are in UTC, also one that a hook has set, and ids in small letters. */
function asKept(declaration: FieldDeclaration | undefined, value: unknown): unknown {
  if (typeof value !== 'string' || !declaration) return value ?? null;
  if (declaration.recordOf) return value.toLowerCase();
  return declaration.schema.format === 'date-time' ? (utcTime(value) ?? value) : value;
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
