import type { QueryConfig } from 'pg';
import { entityColumns } from './sql.js';

/** Adds a value to the statement's parameters; returns what stands for it in the SQL, such as `$3`. */
export type Bind = (value: unknown) => string;

/** Something that a transaction writes at its end. */
export interface LastWrite {
  /** The same for writes whose SQL is the same. */
  readonly name: string;
  readonly sql: (bind: Bind) => string;
  /** For an insertion: the values alone, so that rows of one table are written by one INSERT, in their order. */
  readonly row?: (bind: Bind) => string;
  /** Called after the commit with the rows that the statement returned. At most one write of a transaction may have it. */
  readonly onReturned?: (rows: object[]) => void;
}

/** Statements with more writes are rare, and not worth keeping prepared. */
const MAX_PREPARED_WRITES = 6;
/** Postgres cuts off longer names. */
const MAX_NAME_LENGTH = 63;

/** The insertion of a row, as one of a transaction's last writes. */
export function insertion<Row extends object>(entity: new () => Row, row: Row): LastWrite {
  const { table, tableName, ...sql } = entityColumns(entity);
  const columns = sql.columns.filter(({ isWritten }) => isWritten);
  const into = `INSERT INTO ${table} (${columns.map(({ column }) => column).join(', ')}) VALUES`;
  const values = (bind: Bind): string => `(${columns.map(({ property, write }) => bind(write(row[property as keyof Row]))).join(', ')})`;
  return { name: tableName, sql: (bind) => `${into} ${values(bind)}`, row: values };
}

/** All last writes of a transaction as one statement; undefined when there are none. */
export function lastStatement(writes: readonly LastWrite[]): QueryConfig | undefined {
  if (writes.length === 0) return undefined;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  // A statement with WITH returns the rows of its last part.
  const groups = groupByTable(writes).sort((a, b) => Number(a[0]!.onReturned !== undefined) - Number(b[0]!.onReturned !== undefined));
  const parts = groups.map(([first, ...more]) => [first!.sql(bind), ...more.map((write) => write.row!(bind))].join(', '));
  const last = parts.pop()!;
  const before = parts.map((part, index) => `write${index} AS (${part})`).join(', ');
  const name = `last:${groups.map((group) => `${group[0]!.name}${group.length > 1 ? `*${group.length}` : ''}`).join(',')}`;
  const isPrepared = writes.length <= MAX_PREPARED_WRITES && name.length <= MAX_NAME_LENGTH;
  return { text: before === '' ? last : `WITH ${before} ${last}`, values, ...(isPrepared && { name }) };
}

/** Postgres runs the parts of a WITH in an order of its own, but inserts the rows of one INSERT one after the other. */
function groupByTable(writes: readonly LastWrite[]): LastWrite[][] {
  const groups: LastWrite[][] = [];
  for (const write of writes) {
    const sameTable = write.row && groups.find(([first]) => first!.row && first!.name === write.name);
    if (sameTable) sameTable.push(write);
    else groups.push([write]);
  }
  return groups;
}
