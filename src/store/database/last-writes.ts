import type { QueryConfig } from 'pg';
import { entityColumns } from './sql.js';

type Place = (value: unknown) => string;

/** Something that a transaction writes at its end: its SQL, given where each value stands. */
export interface LastWrite {
  /** Equal for those whose SQL is equal. */
  readonly name: string;
  readonly sql: (place: Place) => string;
  /** Of an insertion: the values alone, so that rows of one table are written by one INSERT, and in their order. */
  readonly row?: (place: Place) => string;
  /** Is told what it returned, once the transaction is committed. One write of a transaction may ask for that. */
  readonly found?: (rows: object[]) => void;
}

/** So many are usual; a statement with more is rare, and need not be kept prepared. */
const USUAL = 6;
/** Postgres cuts off what a name has more. */
const LONGEST_NAME = 63;

/** The insertion of a row, as one of a transaction's last writes. */
export function insertion<Row extends object>(entity: new () => Row, row: Row): LastWrite {
  const { table, tableName, ...sql } = entityColumns(entity);
  const columns = sql.columns.filter(({ isWritten }) => isWritten);
  const into = `INSERT INTO ${table} (${columns.map(({ column }) => column).join(', ')}) VALUES`;
  const values = (place: Place): string => `(${columns.map(({ property, write }) => place(write(row[property as keyof Row]))).join(', ')})`;
  return { name: tableName, sql: (place) => `${into} ${values(place)}`, row: values };
}

/** All of a transaction's last writes as one statement; undefined when there are none. */
export function lastStatement(writes: readonly LastWrite[]): QueryConfig | undefined {
  if (writes.length === 0) return undefined;
  const values: unknown[] = [];
  const place: Place = (value) => `$${values.push(value)}`;
  // What the whole returns is what its last part returns.
  const groups = grouped(writes).sort((a, b) => Number(a[0]!.found !== undefined) - Number(b[0]!.found !== undefined));
  const parts = groups.map(([first, ...more]) => [first!.sql(place), ...more.map((write) => write.row!(place))].join(', '));
  const last = parts.pop()!;
  const before = parts.map((part, index) => `write${index} AS (${part})`).join(', ');
  const name = `last:${groups.map((group) => `${group[0]!.name}${group.length > 1 ? `*${group.length}` : ''}`).join(',')}`;
  return {
    text: before === '' ? last : `WITH ${before} ${last}`,
    values,
    ...(writes.length <= USUAL && name.length <= LONGEST_NAME && { name }),
  };
}

/** Rows of one table together. Postgres runs the parts of a WITH in an order of its own, but the rows of one INSERT one after the other. */
function grouped(writes: readonly LastWrite[]): LastWrite[][] {
  const groups: LastWrite[][] = [];
  for (const write of writes) {
    const same = write.row && groups.find(([first]) => first!.row && first!.name === write.name);
    if (same) same.push(write);
    else groups.push([write]);
  }
  return groups;
}
