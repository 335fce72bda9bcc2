import { Column, type ColumnOptions, PrimaryColumn } from 'typeorm';
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
