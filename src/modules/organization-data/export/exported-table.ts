import pg from 'pg';
import type { OrganizationTable } from '../catalogue.repository.js';
import { ownedBy } from '../owned-rows.js';

/** A row as it is read. */
export interface ExportedRow {
  readonly row: string;
  readonly bytes?: Buffer | null;
  readonly key: readonly string[];
}

/** How the rows of an organization in a table are read. */
export interface ExportedTable {
  readonly name: string;
  /** The column of bytes that is exported, if there is one. */
  readonly bytes: string | undefined;
  /** Selects an `ExportedRow` for each row, in the order of the primary key. */
  readonly select: (organizationId: string) => string;
  /** How many rows are in memory at a time: rows with files or documents are large. */
  readonly rowsAtOnce: number;
}

/** The organization itself is found by its id. */
export const ORGANIZATION = {
  parts: [],
  hasOrganization: false,
  weight: 'values' as const,
  notExported: undefined,
  notErased: undefined,
  exportedBytes: new Set<string>(),
  leftOut: new Set<string>(),
};

const BYTES = 'bytea';
const TIME = 'timestamp with time zone';
const ROWS_AT_ONCE = { file: 1, document: 16, values: 500 };

const quote = (name: string): string => pg.escapeIdentifier(name);

/** `period_start` is `periodStart`, as in the API. */
const propertyOf = (column: string): string => column.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** The columns of a table that are exported: bytes only if the entity says that they are content. */
export function exportedColumns({ columns, exportedBytes, leftOut }: Pick<OrganizationTable, 'columns' | 'exportedBytes' | 'leftOut'>) {
  return columns.filter(({ name, type }) => !leftOut.has(name) && (type !== BYTES || exportedBytes.has(name)));
}

export function exportedTable(table: OrganizationTable): ExportedTable {
  const columns = exportedColumns(table);
  const bytes = columns.find(({ type }) => type === BYTES)?.name;
  const values = columns
    .filter(({ type }) => type !== BYTES)
    .map(({ name, type }) => `${valueOf(name, type)} AS ${quote(propertyOf(name))}`);
  const key = table.key.map(quote);
  const list = [
    `(SELECT row_to_json(record)::text FROM (SELECT ${values.join(', ')}) AS record) AS row`,
    ...(bytes === undefined ? [] : [`exported.${quote(bytes)} AS bytes`]),
    `ARRAY[${key.map((column) => `exported.${column}::text`).join(', ')}]::text[] AS key`,
  ];
  const order = key.length > 0 ? ` ORDER BY ${key.map((column) => `exported.${column}`).join(', ')}` : '';
  return {
    name: table.name,
    bytes,
    select: (organizationId) =>
      `SELECT ${list.join(', ')} FROM ${quote(table.name)} AS exported WHERE ${ownedBy(table, organizationId)}${order}`,
    rowsAtOnce: ROWS_AT_ONCE[table.weight],
  };
}

/** Times as the API returns them; everything else as Postgres writes it in JSON, so that numbers keep all their digits. */
function valueOf(name: string, type: string): string {
  const column = `exported.${quote(name)}`;
  return type === TIME ? `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` : column;
}
