import { Column, PrimaryColumn, type ColumnOptions } from 'typeorm';

/** TypeORM makes Dates of timestamps that it reads itself; records carry ISO text. */
const isoText = { to: (value: unknown) => value, from: (value: unknown) => (value instanceof Date ? value.toISOString() : value) };

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A column named after its property: `periodStart` is `period_start`. */
function column(options: ColumnOptions): PropertyDecorator {
  return (target, key) => Column({ name: snakeCase(String(key)), ...options })(target, key);
}

export const IdColumn = (): PropertyDecorator => (target, key) =>
  PrimaryColumn({ name: snakeCase(String(key)), type: 'uuid' })(target, key);
export const UuidColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'uuid', ...options });
export const TextColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'text', ...options });
export const DateColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'date', ...options });
export const TimestampColumn = (options: ColumnOptions = {}): PropertyDecorator =>
  column({ type: 'timestamptz', precision: 3, transformer: isoText, ...options });
/** Free-form objects are `json`, not `jsonb`: what was sent comes back with its keys in their order. */
export const JsonColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'json', ...options });
export const IntegerColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'integer', ...options });
export const BigIntegerColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'bigint', ...options });
export const TextListColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'text', array: true, ...options });
export const BytesColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'bytea', ...options });
export const FlagColumn = (options: ColumnOptions = {}): PropertyDecorator => column({ type: 'boolean', ...options });
