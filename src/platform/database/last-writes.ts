import type { QueryConfig } from 'pg';
import { entityColumns } from './entity-sql.js';

/** Something that a transaction writes at its end: its SQL, given where each value stands. */
export interface LastWrite {
  /** Equal for those whose SQL is equal. */
  readonly name: string;
  readonly sql: (place: (value: unknown) => string) => string;
}

/** So many are usual; a statement with more is rare, and need not be kept prepared. */
const USUAL = 6;

/** The insertion of a row, as one of a transaction's last writes. */
export function insertion<Row extends object>(entity: new () => Row, row: Row): LastWrite {
  const { table, tableName, ...sql } = entityColumns(entity);
  const columns = sql.columns.filter(({ isWritten }) => isWritten);
  const names = columns.map(({ column }) => column).join(', ');
  return {
    name: tableName,
    sql: (place) => `INSERT INTO ${table} (${names}) VALUES (${columns.map(({ property, write }) => place(write(row[property as keyof Row]))).join(', ')})`,
  };
}

/** All of a transaction's last writes as one statement; undefined when there are none. */
export function lastStatement(writes: readonly LastWrite[]): QueryConfig | undefined {
  if (writes.length === 0) return undefined;
  const values: unknown[] = [];
  const parts = writes.map(({ sql }) => sql((value) => `$${values.push(value)}`));
  const last = parts.pop()!;
  const before = parts.map((part, index) => `write${index} AS (${part})`).join(', ');
  const name = `last:${writes.map((write) => write.name).join(',')}`;
  return { text: before === '' ? last : `WITH ${before} ${last}`, values, ...(writes.length <= USUAL && { name }) };
}
