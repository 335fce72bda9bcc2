import { getMetadataArgsStorage } from 'typeorm';

export interface ColumnSql {
  readonly property: string;
  /** Quoted, as it stands in a statement. */
  readonly column: string;
  readonly write: (value: unknown) => unknown;
  /** Whether it is read with the row; an index's own column is not. */
  readonly isRead: boolean;
  /** Whether we write it; what the database generates we do not. */
  readonly isWritten: boolean;
}

export interface EntitySql {
  /** Quoted, as it stands in a statement. */
  readonly table: string;
  readonly tableName: string;
  readonly columns: readonly ColumnSql[];
}

const known = new Map<object, EntitySql>();
const quote = (name: string): string => `"${name}"`;
const same = (value: unknown): unknown => value;
// pg would write an array as a Postgres array, and leaves other objects to JSON.stringify; here both are JSON.
const asJson = (value: unknown): unknown => (value === null || value === undefined ? null : JSON.stringify(value));

/** Table and columns of an entity, read once off its decorators: named statements are made from them. */
export function entityColumns(entity: new () => object): EntitySql {
  const found = known.get(entity);
  if (found) return found;
  const storage = getMetadataArgsStorage();
  const tableName = storage.tables.find(({ target }) => target === entity)?.name;
  if (!tableName) throw new Error(`${entity.name} is no entity with a table name of its own.`);
  const ancestors = new Set(ancestorsOf(entity));
  const generated = new Set(
    storage.generations.filter(({ target }) => ancestors.has(target as object)).map(({ propertyName }) => propertyName),
  );
  const columns = storage.columns
    .filter(({ target }) => ancestors.has(target as object))
    .map(({ propertyName, options }) => ({
      property: propertyName,
      column: quote(options.name ?? propertyName),
      isRead: options.select !== false,
      isWritten: !generated.has(propertyName),
      write: options.type === 'json' || options.type === 'jsonb' ? asJson : same,
    }));
  const sql = { table: quote(tableName), tableName, columns };
  known.set(entity, sql);
  return sql;
}

/** A SELECT list that names every column that is read as the property it is. */
export function selectList(sql: EntitySql): string {
  const read = sql.columns.filter(({ isRead }) => isRead);
  return read.map(({ property, column }) => (column === quote(property) ? column : `${column} AS ${quote(property)}`)).join(', ');
}

/** INSERT of all columns that we write, as parameters `$1` to `$n`. */
export function insertSql(sql: EntitySql): string {
  const written = sql.columns.filter(({ isWritten }) => isWritten);
  const params = written.map((_column, index) => `$${index + 1}`);
  return `INSERT INTO ${sql.table} (${written.map(({ column }) => column).join(', ')}) VALUES (${params.join(', ')})`;
}

/** The values for `insertSql`, in its order. */
export function valuesOf(sql: EntitySql, row: object): unknown[] {
  return sql.columns.filter(({ isWritten }) => isWritten).map(({ property, write }) => write(row[property as keyof typeof row]));
}

function* ancestorsOf(type: object): Generator<object> {
  for (
    let current: object | null = type;
    current && current !== Function.prototype;
    current = Object.getPrototypeOf(current) as object | null
  )
    yield current;
}

/** A text as a LIKE pattern that means just this text. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
