import { snakeCase } from '../../kernel/text.js';

/** The values of the fields that extensions declare, by name. */
export type CustomValues = Readonly<Record<string, unknown>>;

export const CUSTOM_FIELDS = 'customFields';
/** The filters by custom fields, of tables for which extensions declare some. Statements on other tables do not have the column. */
const extended = new Map<string, Set<string>>();

export function extendTable(table: string, filters: readonly string[]): void {
  extended.set(table, new Set([...(extended.get(table) ?? []), ...filters]));
}

export const isExtended = (table: string): boolean => extended.has(table);

export const customFilter = (name: string): string => `${CUSTOM_FIELDS}.${name}`;

const valueSql = (name: string): string => `(custom_fields ->> '${name}')`;

/** What filters compare, as columns that are neither read nor written. */
export const filterColumnsOf = (table: string) =>
  [...(extended.get(table) ?? [])].map((name) => ({
    property: customFilter(name),
    column: valueSql(name),
    type: 'text',
    isRead: false,
    isWritten: false,
    write: (value: unknown) => value,
  }));

/** The longest name that Postgres does not cut off. */
const MAX_NAME_LENGTH = 63;

export function customIndexName(table: string, name: string): string {
  const index = `${table}_custom_${snakeCase(name)}`;
  if (index.length > MAX_NAME_LENGTH) throw new Error(`${index} is too long for the name of an index: choose a shorter name than ${name}.`);
  return index;
}

/**
 * The SQL of the index that a filter by a custom field needs, for a migration of the extension. With `concurrently`, writes go on while it
 * is built; such a migration needs `transaction = false`, and drops the index first: what an interrupted build has left is invalid.
 */
export function customFieldIndex(table: string, name: string, { concurrently = false } = {}): string {
  const how = concurrently ? 'CONCURRENTLY ' : '';
  return `CREATE INDEX ${how}${customIndexName(table, name)} ON ${table} (organization_id, environment, ${valueSql(name)}, id)`;
}
