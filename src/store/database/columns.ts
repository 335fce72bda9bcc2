import { Column, type ColumnOptions, getMetadataArgsStorage, PrimaryColumn } from 'typeorm';
import type { Environment, Tenant } from '../../kernel/context.js';
import { newId } from '../../kernel/ids.js';
import { snakeCase } from '../../kernel/text.js';

/** TypeORM reads timestamps as Dates; records carry ISO text. */
const isoText = { to: (value: unknown) => value, from: (value: unknown) => (value instanceof Date ? value.toISOString() : value) };

function column(options: ColumnOptions): PropertyDecorator {
  return (target, key) => Column({ name: snakeCase(String(key)), ...options })(target, key);
}

/** A column of the primary key. In a table of organizations, `organizationId` is among them. */
export const IdColumn = (): PropertyDecorator => (target, key) =>
  PrimaryColumn({ name: snakeCase(String(key)), type: 'uuid' })(target, key);
export const UuidColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'uuid', ...options });
export const TextColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'text', ...options });
export const DateColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'date', ...options });
export const TIMESTAMP: ColumnOptions = { type: 'timestamptz', precision: 3, transformer: isoText };
export const TimestampColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ ...TIMESTAMP, ...options });
/** Free-form objects are `json`, not `jsonb`, to keep their keys in the order in which they were sent. */
export const JsonColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'json', ...options });
/** The fields that extensions declare: read and written only where there are some. */
export const CustomFieldsColumn = (): PropertyDecorator => column({ type: 'jsonb', default: {}, select: false });
/** An exact decimal. Postgres and its driver keep it as text, with all its decimals. */
export const MoneyColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'numeric', ...options });
/** An exact percentage, as text like an amount. */
export const PercentColumn = MoneyColumn;
/** An exact decimal with bounds, as text like an amount. */
export const DecimalColumn = MoneyColumn;
export const IntegerColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'integer', ...options });
export const BigIntegerColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'bigint', ...options });
export const TextListColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'text', array: true, ...options });
export const BytesColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'bytea', ...options });
export const FlagColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'boolean', ...options });

/** What every row of a tenant's table has. */
export abstract class TenantRow {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TimestampColumn() createdAt: string;
  @TimestampColumn() updatedAt: string;
}

/** What every new one has. */
export const aNewRow = ({ organizationId, environment }: Tenant, now: string): TenantRow => ({
  id: newId(),
  organizationId,
  environment,
  createdAt: now,
  updatedAt: now,
});

/** The values of the fields that extensions declare, by name. */
export type CustomValues = Readonly<Record<string, unknown>>;

export const CUSTOM_FIELDS = 'customFields';
/** The filters by custom fields, of tables for which extensions declare some. Statements on other tables do not have the column. */
const extended = new Map<string, Map<string, string>>();

/** How the values of a range are compared. */
export type RangeKind = 'number' | 'day' | 'time';

export function extendTable(table: string, filters: readonly string[], ranges: ReadonlyMap<string, RangeKind>): void {
  const columns = extended.get(table) ?? new Map<string, string>();
  for (const name of filters) columns.set(customFilter(name), valueSql(name));
  for (const [name, kind] of ranges) columns.set(customRange(name), rangeSql(name, kind));
  extended.set(table, columns);
  // Statements of TypeORM read the column then, too.
  const storage = getMetadataArgsStorage();
  const entity = storage.tables.find(({ name }) => name === table)?.target;
  for (const { target, propertyName, options } of storage.columns)
    if (target === entity && propertyName === CUSTOM_FIELDS) options.select = true;
}

export const isExtended = (table: string): boolean => extended.has(table);

export const customFilter = (name: string): string => `${CUSTOM_FIELDS}.${name}`;
export const customRange = (name: string): string => `${customFilter(name)}.range`;

const valueSql = (name: string): string => `(custom_fields ->> '${name}')`;

/** No cast of a text to a day or time can be indexed, because it depends on settings. As they are written, texts are in the same order. */
const rangeSql = (name: string, kind: RangeKind): string =>
  kind === 'number'
    ? `(${valueSql(name)}::numeric)`
    : `(${kind === 'time' ? `rtrim(${valueSql(name)}, 'Z')` : valueSql(name)} COLLATE "C")`;

/** What filters compare, as columns that are neither read nor written. */
export const filterColumnsOf = (table: string) =>
  [...(extended.get(table) ?? [])].map(([property, column]) => ({
    property,
    column,
    type: 'text',
    isRead: false,
    isWritten: false,
    write: (value: unknown) => value,
  }));

/** The longest name that Postgres does not cut off. */
const MAX_NAME_LENGTH = 63;

export function customIndexName(table: string, name: string, isRange = false): string {
  const index = `${table}_custom_${snakeCase(name)}${isRange ? '_range' : ''}`;
  if (index.length > MAX_NAME_LENGTH) throw new Error(`${index} is too long for the name of an index: choose a shorter name than ${name}.`);
  return index;
}

/**
 * The SQL of the index that a filter by a custom field needs, for a migration of the extension; `range` says what is compared if the
 * filter is a range. With `concurrently`, writes go on while it is built; such a migration needs `transaction = false`, and drops the
 * index first: what an interrupted build has left is invalid.
 */
export function customFieldIndex(
  table: string,
  name: string,
  { concurrently = false, range }: { concurrently?: boolean; range?: RangeKind } = {},
): string {
  const how = concurrently ? 'CONCURRENTLY ' : '';
  const value = range ? rangeSql(name, range) : valueSql(name);
  return `CREATE INDEX ${how}${customIndexName(table, name, range !== undefined)} ON ${table} (organization_id, environment, ${value}, id)`;
}
