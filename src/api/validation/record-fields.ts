import type { Type } from '@nestjs/common';
import { Column, type ColumnOptions, Index } from 'typeorm';
import { given } from '../../kernel/changes.js';
import type { Tenant } from '../../kernel/context.js';
import { FREE_FORM_MAX_BYTES, type FreeForm, mergePatch } from '../../kernel/json.js';
import { Problem } from '../../kernel/problems.js';
import { snakeCase } from '../../kernel/text.js';
import { utcTime } from '../../kernel/time.js';
import { RecordDto } from '../dto/page.js';
import {
  aNewRow,
  TenantRow,
  TIMESTAMP,
  CUSTOM_FIELDS,
  customFilter,
  customIndexName,
  customRange,
  extendTable,
} from '../../store/database/columns.js';
import type { CustomValues, RangeKind } from '../../store/database/columns.js';
import { declaredFields, field, fieldsOf, isMergeable, MERGES, problemsWith, redeclare, type FieldDeclaration } from './field.js';
import { type AllFields, Both, Complete, Nested, problemsOfObject } from './fields.js';
import { offerRange, rangeIn, requireNewFilter } from './ranges.js';

/** A class of rows with a column for each field of the create request, but for those in `without`. */
export function RowOf<Create extends object, Name extends keyof Create & string = never>(
  create: Type<Create>,
  { without = [] }: { without?: readonly Name[] } = {},
): Type<TenantRow & Omit<AllFields<Create>, Name>> {
  abstract class Row extends TenantRow {}
  for (const [name, declaration] of declaredFields.get(create.prototype as object)!) {
    if (!(without as readonly string[]).includes(name)) Column({ name: snakeCase(name), ...columnOf(declaration) })(Row.prototype, name);
  }
  return Row as unknown as Type<TenantRow & Omit<AllFields<Create>, Name>>;
}

type AnswerTo<Create> = RecordDto & AllFields<Create>;

/** A class of answers with the fields of the create request, and those of every record. `from` shows a row. */
export function AnswerOf<Create extends object>(
  create: Type<Create>,
): Type<AnswerTo<Create>> & { readonly from: (row: TenantRow) => AnswerTo<Create> } {
  const from = (row: TenantRow) => records.get(create)!.answer(row) as AnswerTo<Create>;
  return Object.assign(Both(RecordDto, Complete(create)), { from });
}

/** Free-form objects are `json`, as in `JsonColumn`. */
function columnOf({ about: { nullable = false }, schema, column }: FieldDeclaration): ColumnOptions {
  const { type, format } = schema as { readonly type?: unknown; readonly format?: string };
  if (format === 'date-time') return { ...TIMESTAMP, nullable };
  const isText = type === String;
  const texts = (Array.isArray(type) && type[0] === String) || (isText && 'isArray' in schema);
  const plain = isText || texts ? 'text' : type === Boolean ? 'boolean' : type === 'integer' ? 'integer' : 'json';
  const ofText = isText && (format === 'date' || format === 'uuid') ? format : undefined;
  return { type: column ?? ofText ?? plain, nullable, ...(texts && { array: true }) };
}

interface Place<Create, Row> {
  readonly entity: Type<Row>;
  readonly create: Type<Create>;
  readonly update: Type<object>;
  readonly answer: Type<object>;
  readonly list: Type<object>;
  /** Its table, if that has a column for the fields of extensions. */
  readonly customFieldsOf?: string;
}

export interface CustomFieldOptions<Name extends string> {
  /** Those by which lists can be filtered. Each needs its index: `customFieldIndex`. */
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

interface Declared {
  readonly input: Type<object>;
  readonly answer: Type<object>;
  readonly names: string[];
  readonly filters: string[];
  readonly ranges: Map<string, RangeKind>;
  readonly search: string[];
}

interface Extended {
  readonly customFields?: CustomValues;
}

const NOTHING: object = Object.freeze({});
const NONE: ReadonlyMap<string, FieldDeclaration> = new Map();
const MAX_FIELDS = 50;
const NO_FILTERS = ['page', 'page_size', 'before', 'changed_since', 'search'];
const records = new Map<object, Pick<RecordFields<object, TenantRow>, 'answer'>>();
const places = new Map<string, Pick<RecordFields<object, TenantRow>, 'declare'>>();

/**
 * Declares custom fields of records of the product, by the name of their table. Each may be left out and may be null: older records
 * do not have it. To be called while files are loaded. A bad declaration keeps the process from starting.
 */
export function customFields<Fields extends object>(
  table: string,
  type: new () => Fields,
  options: CustomFieldOptions<keyof Fields & string> = {},
): CustomFieldsOf<Fields> {
  const place = places.get(table);
  if (!place) throw new Error(`${table} has no custom fields: only ${[...places.keys()].join(', ')} have.`);
  place.declare(type, options);
  return { of: (value) => ((value as Extended).customFields ?? {}) as { [Name in keyof Fields]?: Fields[Name] | null } };
}

/**
 * The records of a resource, as their fields are declared: at the create request, once. With the fields of extensions, of which there
 * mostly are none.
 */
export class RecordFields<Create extends object, Row extends TenantRow> {
  /** As requests take them, by name. Without those of extensions. */
  readonly fields: ReadonlyMap<string, FieldDeclaration>;
  private readonly shownNames: readonly (keyof Row)[];
  private readonly defaults: [name: string, value: unknown][];
  private declared: Declared | undefined;

  constructor(private readonly place: Place<Create, Row>) {
    this.fields = new Map(declaredFields.get(place.create.prototype as object));
    this.shownNames = ['id', 'environment', ...this.fields.keys(), 'createdAt', 'updatedAt'] as (keyof Row)[];
    this.defaults = [...this.fields].flatMap(([name, { about }]) => (about.optional ? [[name, about.default ?? null]] : []));
    records.set(place.create, this);
    if (place.customFieldsOf !== undefined) places.set(place.customFieldsOf, this);
  }

  /** The class of its answers. */
  get answers(): Type<object> {
    return this.place.answer;
  }

  answer(row: TenantRow): object {
    // One by one: a list does this for each of its rows, and `Object.fromEntries` takes twice as long as all else that is done for a row.
    const answer: Record<string, unknown> = {};
    for (const name of this.shownNames) answer[name as string] = (row as Row)[name];
    return this.declared ? Object.assign(answer, this.shown(row as Extended)) : answer;
  }

  /** A new row: what the request says, and for what it leaves out the defaults. */
  make({ organizationId, environment }: Tenant, input: Create, now: string): Row {
    const defaults = structuredClone(Object.fromEntries(this.defaults)) as object;
    return { ...aNewRow({ organizationId, environment }, now), ...defaults, ...given(input), ...this.stored(input) } as unknown as Row;
  }

  change(before: Row, input: object): Row {
    const changes = given(input);
    const merged = MERGES in input ? this.merged(before as unknown as FreeForm, changes as FreeForm) : changes;
    return { ...before, ...merged, ...this.stored(input, before as Extended) };
  }

  /** What is valid by itself may be too large with what is there. */
  private merged(before: FreeForm, changes: FreeForm): FreeForm {
    const merged = Object.entries(changes).map(([name, value]): [string, unknown] => {
      const declaration = this.fields.get(name);
      if (!declaration || !isMergeable(declaration)) return [name, value];
      const whole = mergePatch(before[name], value as FreeForm);
      const errors = problemsWith(declaration, whole).map(({ path = '', code, message }) => ({ field: name + path, code, message }));
      if (errors.length > 0) throw Problem.validation(errors.map((error) => ({ location: 'body', ...error })));
      return [name, whole];
    });
    return Object.fromEntries(merged);
  }

  declare(type: Type<object>, { filters = [], ranges = [], search = [] }: CustomFieldOptions<string>): void {
    const fields = declaredFields.get(type.prototype as object) ?? new Map<string, FieldDeclaration>();
    const known = (this.declared ??= this.prepared());
    requireGood([...fields.keys()], known.names, this.table);
    redeclare(type, known.input, { optional: true, nullable: true, default: undefined });
    redeclare(type, known.answer, { optional: false, nullable: true, default: undefined }, { asAnswer: true });
    known.names.push(...fields.keys());
    known.filters.push(...filters);
    known.search.push(...search);
    for (const name of filters) this.offerFilter(name, fields.get(name));
    if (search.length > 0) this.describeSearch(search);
    for (const name of ranges) known.ranges.set(name, this.offerRange(name, fields.get(name)));
    extendTable(this.table, filters, known.ranges);
  }

  private get table(): string {
    return this.place.customFieldsOf!;
  }

  /** Those of extensions, as a request takes them, by name. */
  get inputs(): ReadonlyMap<string, FieldDeclaration> {
    return (this.declared && declaredFields.get(this.declared.input.prototype as object)) ?? NONE;
  }

  /** Those of extensions in an answer, and in the input for a copy of a record. */
  shown(row: Extended): object {
    if (!this.declared) return NOTHING;
    const { customFields: values } = row;
    if (!values) throw new Error(`A row of ${this.table} was read without its custom fields.`);
    return { customFields: Object.fromEntries(this.declared.names.map((name) => [name, values[name] ?? null])) };
  }

  /** Those of extensions in a row: those that a change leaves out keep their value, and null removes one. */
  private stored(input: object, before: Extended = NOTHING): Extended {
    if (!this.declared) return NOTHING;
    const values = Object.entries({ ...before.customFields, ...(input as Extended).customFields });
    const kept = values.filter(([, value]) => value !== null && value !== undefined);
    return { customFields: Object.fromEntries(kept.map(([name, value]) => [name, this.asStored(name, value)])) };
  }

  /** A time is compared as a text, so it is in UTC, also one that a hook has set. */
  private asStored(name: string, value: unknown): unknown {
    const isTime = typeof value === 'string' && this.inputs.get(name)?.schema.format === 'date-time';
    return isTime ? (utcTime(value) ?? value) : value;
  }

  /** Those by which a list can be filtered, but for its search and those of extensions. */
  get filterNames(): string[] {
    return [...fieldsOf(this.place.list.prototype as object).keys()].filter((name) => !NO_FILTERS.includes(name) && !name.includes('.'));
  }

  /** The ranges by which a list can be filtered, by their parameters without `_from` and `_to`. */
  get ranges(): Map<string, FieldDeclaration> {
    const offered = [...fieldsOf(this.place.list.prototype as object).values()];
    return new Map(offered.flatMap((end) => (end.range ? [[end.range.from.slice(0, -'_from'.length), end] as const] : [])));
  }

  /** The filters of a list by fields of extensions, by what they compare. */
  filters(query: object): Readonly<Record<string, string | undefined>> {
    if (!this.declared) return NOTHING as Record<string, never>;
    const { filters, ranges } = this.declared;
    const values = query as Record<string, string | number | boolean | undefined>;
    const textOf = (value: string | number | boolean | undefined) => (value === undefined ? undefined : String(value));
    const equal = filters.map((name) => [customFilter(name), textOf(values[parameterOf(name)])] as const);
    const within = [...ranges].flatMap(([name, kind]) => rangeIn(query, parameterOf(name), customRange(name), kind));
    return Object.fromEntries([...equal, ...within]);
  }

  searched({ customFields: values = {} }: Extended): (string | null)[] {
    return (this.declared?.search ?? []).map((name) => (values[name] as string | undefined) ?? null);
  }

  /** Adds the field to the classes of the resource. Their fields are declared one by one. */
  private prepared(): Declared {
    const { create, update, answer } = this.place;
    const name = answer.name.replace(/Dto$/, '');
    const classes = { input: classCalled(`${name}CustomFieldsInput`), answer: classCalled(`${name}CustomFields`) };
    const about = 'Fields that this installation adds.';
    const input: FieldDeclaration = {
      about: { about: `${about} Those left out keep their value.`, optional: true },
      schema: { type: classes.input },
      of: classes.input,
      check: (value) => {
        const problems = problemsOfObject(classes.input, value);
        const isTooLarge = problems.length === 0 && Buffer.byteLength(JSON.stringify(value)) > FREE_FORM_MAX_BYTES;
        return isTooLarge ? { code: 'too_large', message: `must have at most ${FREE_FORM_MAX_BYTES} bytes as JSON` } : problems;
      },
    };
    for (const type of [create, update]) field(input)(type.prototype as object, CUSTOM_FIELDS);
    Nested(classes.answer, { about })(answer.prototype as object, CUSTOM_FIELDS);
    return { ...classes, names: [], filters: [], ranges: new Map(), search: [] };
  }

  private offerFilter(name: string, declaration: FieldDeclaration | undefined): void {
    const { entity, list } = this.place;
    const table = this.table;
    if (!declaration || !isScalar(declaration)) throw new Error(`${table} cannot be filtered by ${name}: it is no text, number or flag.`);
    requireNewFilter(list, parameterOf(name));
    const about = { ...declaration.about, about: `Only with this value. ${declaration.about.about}`, optional: true, nullable: false };
    field({ ...declaration, about: { ...about, default: undefined } })(list.prototype as object, parameterOf(name));
    // Made by a migration of the extension.
    Index(customIndexName(table, name), { synchronize: false })(entity);
  }

  private offerRange(name: string, declaration: FieldDeclaration | undefined): RangeKind {
    const kind = offerRange(this.place.list, parameterOf(name), `${name} of ${this.table}`, declaration);
    Index(customIndexName(this.table, name, true), { synchronize: false })(this.place.entity);
    return kind;
  }

  private describeSearch(names: readonly string[]): void {
    const list = this.place.list.prototype as object;
    const search = declaredFields.get(list)!.get('search')!;
    const also = `Also searched: ${names.map((name) => `\`${CUSTOM_FIELDS}.${name}\``).join(', ')}.`;
    field({ ...search, about: { ...search.about, about: `${search.about.about} ${also}` } })(list, 'search');
  }
}

/** A filter is in snake case, as others are, and cannot be one that the product has, or will have. */
const parameterOf = (name: string): string => `custom_fields.${snakeCase(name)}`;

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
