import type { Type } from '@nestjs/common';
import { Column, type ColumnOptions } from 'typeorm';
import { given, pick } from '../../kernel/changes.js';
import type { Tenant } from '../../kernel/context.js';
import { type FreeForm, mergePatch } from '../../kernel/json.js';
import { Problem } from '../../kernel/problems.js';
import { snakeCase } from '../../kernel/text.js';
import { RecordDto } from '../dto/page.js';
import { aNewRow, TenantRow, TIMESTAMP } from '../../store/database/columns.js';
import { relate } from '../../store/tenant/relations.js';
import { CustomFields, type Extended } from './custom-fields.js';
import { declaredFields, fieldsOf, isMergeable, MERGES, problemsWith, type FieldDeclaration } from './field.js';
import { type AllFields, Both, Complete } from './fields.js';

/** A class of rows with a column for each field of the create request, but for those in `without`. */
export function RowOf<Create extends object, Name extends keyof Create & string = never>(
  create: Type<Create>,
  { without = [] }: { without?: readonly Name[] } = {},
): Type<TenantRow & Omit<AllFields<Create>, Name>> {
  abstract class Row extends TenantRow {}
  for (const [name, declaration] of declaredFields.get(create.prototype as object)!) {
    if ((without as readonly string[]).includes(name)) continue;
    Column({ name: snakeCase(name), ...columnOf(declaration) })(Row.prototype, name);
    if (declaration.recordOf) relate(Row, name, declaration.recordOf);
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
  /** What an answer has besides, or shows otherwise. */
  readonly also?: (row: Row) => object;
  /** Its table, if that has a column for the fields of extensions. */
  readonly customFieldsOf?: string;
}

const NONE: ReadonlyMap<string, FieldDeclaration> = new Map();
const NO_FILTERS = ['page', 'page_size', 'before', 'changed_since', 'search'];
const records = new Map<object, Pick<RecordFields<object, TenantRow>, 'answer'>>();

/**
 * The records of a resource, as their fields are declared: at the create request, once. With the fields of extensions, of which there
 * mostly are none.
 */
export class RecordFields<Create extends object, Row extends TenantRow> {
  /** As requests take them, by name. Without those of extensions. */
  readonly fields: ReadonlyMap<string, FieldDeclaration>;
  private readonly shownNames: readonly (keyof Row)[];
  private readonly defaults: [name: string, value: unknown][];
  private readonly custom: CustomFields | undefined;

  constructor(private readonly place: Place<Create, Row>) {
    this.fields = new Map(declaredFields.get(place.create.prototype as object));
    this.shownNames = ['id', 'environment', ...this.fields.keys(), 'createdAt', 'updatedAt'] as (keyof Row)[];
    this.defaults = [...this.fields].flatMap(([name, { about }]) => (about.optional ? [[name, about.default ?? null]] : []));
    records.set(place.create, this);
    const { customFieldsOf: table, entity, create, update, answer, list } = place;
    if (table !== undefined) this.custom = new CustomFields({ table, entity, inputs: [create, update], answers: [answer], list });
  }

  /** The class of its answers. */
  get answers(): Type<object> {
    return this.place.answer;
  }

  answer(row: TenantRow): object {
    // One by one: a list does this for each of its rows, and `Object.fromEntries` takes twice as long as all else that is done for a row.
    const answer: Record<string, unknown> = {};
    for (const name of this.shownNames) answer[name as string] = (row as Row)[name];
    Object.assign(answer, this.place.also?.(row as Row));
    return this.custom?.answered(answer, row) ?? answer;
  }

  /** A new row: what the request says, and for what it leaves out the defaults. */
  make({ organizationId, environment }: Tenant, input: Create, now: string): Row {
    const defaults = structuredClone(Object.fromEntries(this.defaults)) as object;
    return {
      ...aNewRow({ organizationId, environment }, now),
      ...defaults,
      ...given(input),
      ...this.stored(input),
    } as unknown as Row;
  }

  change(before: Row, input: object): Row {
    const changes = given(input);
    const merged = MERGES in input ? this.merged(before as unknown as FreeForm, changes as FreeForm) : changes;
    return { ...before, ...merged, ...this.stored(input, before) };
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

  /** Those of extensions, as a request takes them, by name. */
  get inputs(): ReadonlyMap<string, FieldDeclaration> {
    return this.custom?.inputs ?? NONE;
  }

  /** The same, as an answer has them. */
  get outputs(): ReadonlyMap<string, FieldDeclaration> {
    return this.custom?.outputs ?? NONE;
  }

  /** Those of extensions that are kept, in the input for a copy of a record. */
  shown(row: object): Extended | undefined {
    return this.custom?.shown(row);
  }

  /** Those of extensions in a row. */
  stored(input: object, before?: object): Extended | undefined {
    return this.custom?.stored(input, before);
  }

  /** The row with what extensions compute of it, as a page shows it. */
  withComputed(row: Row): Row {
    return this.outputs.size === this.inputs.size ? row : { ...row, ...pick(this.answer(row) as Extended, ['customFields']) };
  }

  /** The filters of a list by fields of extensions, by what they compare. */
  filters(query: object): Readonly<Record<string, string | undefined>> | undefined {
    return this.custom?.filters(query);
  }

  searched(row: object): (string | null)[] {
    return this.custom?.searched(row) ?? [];
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
}
