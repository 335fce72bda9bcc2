import { getMetadataArgsStorage } from 'typeorm';
import { CUSTOM_FIELDS, filterColumnsOf, isExtended } from './columns.js';

export interface ColumnSql {
  readonly property: string;
  /** Quoted, as statements write it. */
  readonly column: string;
  readonly type: string;
  /** The value of the property as pg takes it. */
  readonly write: (value: unknown) => unknown;
  /** Whether it is read with the row. Columns with `select: false` are not. */
  readonly isRead: boolean;
  /** Whether we write it. What the database generates we do not. */
  readonly isWritten: boolean;
}

export interface EntitySql {
  /** Quoted, as statements write it. */
  readonly table: string;
  readonly tableName: string;
  readonly columns: readonly ColumnSql[];
  readonly written: readonly ColumnSql[];
  /** The beginning of its INSERT, up to the values of these columns. */
  readonly insertInto: string;
  /** Whether it has the fields of extensions. Files that are loaded before these declare them make statements without. */
  readonly isExtended: boolean;
}

const known = new Map<object, EntitySql>();
const quote = (name: string): string => `"${name}"`;
const unchanged = (value: unknown): unknown => value;
// pg would write an array as a Postgres array, and passes other objects to JSON.stringify; here both are JSON.
const asJson = (value: unknown): unknown => (value === null || value === undefined ? null : JSON.stringify(value));

/** Table and columns of an entity, read once off its decorators. Statements are made from them. */
export function entityColumns(entity: new () => object): EntitySql {
  const found = known.get(entity);
  if (found && found.isExtended === isExtended(found.tableName)) return found;
  const storage = getMetadataArgsStorage();
  const tableName = storage.tables.find(({ target }) => target === entity)?.name;
  if (!tableName) throw new Error(`${entity.name} is no entity with a table name of its own.`);
  const classes = classChain(entity);
  const generated = storage.generations.filter(({ target }) => classes.has(target as object)).map(({ propertyName }) => propertyName);
  // Small tables, whose statements are made before extensions declare any, always have it.
  const isUsed = (property: string, isRead = true): boolean => property !== CUSTOM_FIELDS || isRead || isExtended(tableName);
  const columns = storage.columns
    .filter(({ target, propertyName, options }) => classes.has(target as object) && isUsed(propertyName, options.select))
    .map(({ propertyName, options }) => ({
      property: propertyName,
      column: quote(options.name ?? propertyName),
      type: String(options.type),
      isRead: options.select !== false || propertyName === CUSTOM_FIELDS,
      isWritten: !generated.includes(propertyName),
      write: options.type === 'json' || options.type === 'jsonb' ? asJson : unchanged,
    }));
  const sql = sqlOf(tableName, [...columns, ...filterColumnsOf(tableName)]);
  known.set(entity, sql);
  return sql;
}

function sqlOf(tableName: string, columns: readonly ColumnSql[]): EntitySql {
  const table = quote(tableName);
  const written = columns.filter(({ isWritten }) => isWritten);
  const insertInto = `INSERT INTO ${table} (${written.map(({ column }) => column).join(', ')}) VALUES`;
  return { table, tableName, columns, written, insertInto, isExtended: isExtended(tableName) };
}

export const withColumns = ({ tableName, columns }: EntitySql, isKept: (column: ColumnSql) => boolean): EntitySql =>
  sqlOf(tableName, columns.filter(isKept));

export function classChain(type: object): Set<object> {
  const chain = new Set<object>();
  for (let current: object | null = type; current && current !== Function.prototype; current = Object.getPrototypeOf(current) as object) {
    chain.add(current);
  }
  return chain;
}

/** A SELECT list that names every column that is read as the property it is. `instead` has SQL for some properties. */
export function selectList(sql: EntitySql, instead: Readonly<Record<string, string>> = {}): string {
  const read = sql.columns.filter(({ isRead }) => isRead);
  return read
    .map(({ property, column }) => [instead[property] ?? column, quote(property)])
    .map(([from, property]) => (from === property ? from : `${from} AS ${property}`))
    .join(', ');
}

export function insertSql(sql: EntitySql): string {
  const params = sql.written.map((_column, index) => `$${index + 1}`);
  return `${sql.insertInto} (${params.join(', ')})`;
}

export function valuesOf(sql: EntitySql, row: object): unknown[] {
  return sql.written.map(({ property, write }) => write((row as Record<string, unknown>)[property]));
}

/** The INSERT of a row with a name for each parameter, for a table of tenants; `namedValuesOf` gives their values. */
export const namedInsertSql = ({ insertInto, written }: EntitySql): string =>
  `${insertInto} (${written.map(({ property }) => `:${property}`).join(', ')})`;

export const namedValuesOf = ({ written }: EntitySql, row: object): Record<string, unknown> =>
  Object.fromEntries(written.map(({ property, write }) => [property, write((row as Record<string, unknown>)[property])]));

/** Many rows as a parameter for each of their properties, whose Postgres types are given; `columnsOf` gives the values. */
export const unnestSql = (types: Readonly<Record<string, string>>): string =>
  `unnest(${Object.entries(types)
    .map(([property, type]) => `:${property}::${type}[]`)
    .join(', ')})`;

export const columnsOf = <Row extends object>(types: { readonly [Property in keyof Row]?: string }, rows: readonly Row[]) =>
  Object.fromEntries(Object.keys(types).map((property) => [property, rows.map((row) => row[property as keyof Row])]));

/** The time `now` or, if the clock was set back, right after the last change. In UTC, so that no zone of a session matters. */
export const changedAtSql = <const Now extends string>(now: Now) =>
  `greatest(${now}, (updated_at AT TIME ZONE 'UTC' + interval '1 ms') AT TIME ZONE 'UTC')` as const;

/** A text as a LIKE pattern that matches exactly this text. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
