import { Injectable } from '@nestjs/common';
import { snakeCase } from '../../../kernel/text.js';
import { Ports } from '../../../store/discovery/ports.js';
import { type EncryptedColumn, EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { CatalogueRepository, type OrganizationTable, ownedBy, quote } from '../catalogue.repository.js';
import { ROWS_AT_ONCE } from '../export/export.service.js';

const JSON_TYPES = new Set(['json', 'jsonb']);

export type MovedTable = OrganizationTable & { readonly rowsAtOnce: number; readonly encrypted: readonly EncryptedColumn[] };

/** A row on its way: as Postgres writes it in JSON, since JavaScript would change its numbers; and bytes that no database key protects. */
export type MovedRow = { readonly row: string; readonly bytes: Readonly<Record<string, string | null>> };
export type StoredRow = { readonly row: string; readonly secrets: readonly (Buffer | null)[] };

/** The tables that move are those that are exported, with all their columns. */
@Injectable()
export class MovedTables {
  constructor(
    private readonly catalogue: CatalogueRepository,
    private readonly ports: Ports,
    private readonly secrets: Secrets,
  ) {}

  async list(): Promise<MovedTable[]> {
    const encrypted = this.ports.all(EncryptedColumns).flatMap((port) => port.encrypted);
    return (await this.catalogue.exportedTables()).map((table) => ({
      ...table,
      // What Postgres numbers gets new numbers.
      columns: table.columns.filter(({ isNumbered }) => !isNumbered),
      rowsAtOnce: ROWS_AT_ONCE[table.weight],
      encrypted: encrypted.filter((column) => column.table === table.name),
    }));
  }

  /** Readable without the keys of this installation. */
  open({ encrypted }: MovedTable, { row, secrets }: StoredRow): MovedRow {
    const opened = encrypted.map((column, index) => {
      const stored = secrets[index];
      return [column.column, stored ? this.secrets.decryptBytes(stored, ownerOf(column, row)).toString('base64') : null];
    });
    return { row, bytes: Object.fromEntries(opened) as MovedRow['bytes'] };
  }

  /** The row with its secrets under the key of this installation. */
  close({ encrypted }: MovedTable, { row, bytes }: MovedRow): string {
    const added = Object.entries(bytes).map(([name, text]) => {
      const column = encrypted.find((candidate) => candidate.column === name);
      const plain = text === null ? null : Buffer.from(text, 'base64');
      const stored = plain && column ? this.secrets.encryptBytes(plain, ownerOf(column, row)) : plain;
      return `,${JSON.stringify(name)}:${stored ? `"\\\\x${stored.toString('hex')}"` : 'null'}`;
    });
    return `${row.slice(0, -1)}${added.join('')}}`;
  }
}

function ownerOf({ key, owner }: EncryptedColumn, row: string): string {
  const values = JSON.parse(row) as Readonly<Record<string, unknown>>;
  return owner(...key.map((name) => String(values[name])));
}

/** A part of a file that a foreign store has, as a row of the table that would have it in Postgres. */
export function rowOfFile({ content, ...values }: Readonly<Record<string, string>>): MovedRow {
  const columns = Object.entries(values).map(([property, value]) => [snakeCase(property), value]);
  return { row: JSON.stringify(Object.fromEntries(columns)), bytes: { content: content! } };
}

/** Selects a `StoredRow` for each row. Documents are text in it: JSON in JSON would lose the difference of `null` and no value. */
export function selectSql(table: MovedTable, organizationId: string): string {
  const secrets = table.encrypted.map(({ column }) => column);
  const values = table.columns
    .filter(({ name }) => !secrets.includes(name))
    .map(({ name, type }) => `moved.${quote(name)}${JSON_TYPES.has(type) ? '::text' : ''} AS ${quote(name)}`);
  return `SELECT (SELECT row_to_json(record)::text FROM (SELECT ${values.join(', ')}) AS record) AS row,
    ARRAY[${secrets.map((name) => `moved.${quote(name)}`).join(', ')}]::bytea[] AS secrets
    FROM ${quote(table.name)} AS moved WHERE ${ownedBy(table, organizationId)}`;
}

/** Inserts rows from a list in JSON. */
export function insertSql({ name, columns }: MovedTable): string {
  const names = columns.map((column) => quote(column.name));
  const types = columns.map(({ type }, index) => `${names[index]} ${JSON_TYPES.has(type) ? 'text' : type}`);
  const read = columns.map(({ type }, index) => `moved.${names[index]}${JSON_TYPES.has(type) ? `::${type}` : ''}`);
  return `INSERT INTO ${quote(name)} (${names.join(', ')}) SELECT ${read.join(', ')}
    FROM json_to_recordset($1::json) AS moved (${types.join(', ')})`;
}
