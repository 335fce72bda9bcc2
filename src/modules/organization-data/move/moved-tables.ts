import { Injectable } from '@nestjs/common';
import { snakeCase } from '../../../kernel/text.js';
import { Ports } from '../../../store/discovery/ports.js';
import { type EncryptedColumn, EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { CatalogueRepository, type OrganizationTable, ownedBy, quote } from '../catalogue.repository.js';
import type { MoveRecord } from './archive.js';

const ROWS_AT_ONCE = { file: 1, document: 16, values: 500 };
const JSON_TYPES = new Set(['json', 'jsonb']);

/** What stands before a row in the archive: the bytes that are encrypted in a database, as they are without that. */
export interface RowHead {
  readonly table: string;
  readonly bytes: Readonly<Record<string, string | null>>;
}

export interface StoredRow {
  readonly row: string;
  readonly secrets: readonly (Buffer | null)[];
}

/** A table with its rows as they travel: all columns but those that Postgres numbers. */
export class MovedTable {
  readonly name: string;
  readonly rowsAtOnce: number;
  readonly columns: OrganizationTable['columns'];

  constructor(
    private readonly table: OrganizationTable,
    readonly encrypted: readonly EncryptedColumn[],
  ) {
    this.name = table.name;
    this.rowsAtOnce = ROWS_AT_ONCE[table.weight];
    this.columns = table.columns.filter(({ isNumbered }) => !isNumbered);
  }

  /** Selects a `StoredRow` for each row. Documents are text in it: JSON in JSON would lose the difference of `null` and no value. */
  select(organizationId: string): string {
    const secret = new Set(this.encrypted.map(({ column }) => column));
    const values = this.columns
      .filter(({ name }) => !secret.has(name))
      .map(({ name, type }) => `moved.${quote(name)}${JSON_TYPES.has(type) ? '::text' : ''} AS ${quote(name)}`);
    const secrets = this.encrypted.map(({ column }) => `moved.${quote(column)}`);
    return `SELECT (SELECT row_to_json(record)::text FROM (SELECT ${values.join(', ')}) AS record) AS row,
      ARRAY[${secrets.join(', ')}]::bytea[] AS secrets FROM ${quote(this.name)} AS moved WHERE ${ownedBy(this.table, organizationId)}`;
  }

  /** Inserts rows from a list in JSON. */
  get insert(): string {
    const names = this.columns.map(({ name }) => quote(name));
    const read = this.columns.map(({ name, type }) => `moved.${quote(name)}${JSON_TYPES.has(type) ? `::${type}` : ''}`);
    const types = this.columns.map(({ name, type }) => `${quote(name)} ${JSON_TYPES.has(type) ? 'text' : type}`);
    return `INSERT INTO ${quote(this.name)} (${names.join(', ')})
      SELECT ${read.join(', ')} FROM json_to_recordset($1::json) AS moved (${types.join(', ')})`;
  }
}

/** The tables that move are those that are exported: a table that is not says why (`TableNotExported`). */
@Injectable()
export class MovedTables {
  constructor(
    private readonly catalogue: CatalogueRepository,
    private readonly ports: Ports,
    private readonly secrets: Secrets,
  ) {}

  /** The organization itself comes first. */
  async list(): Promise<MovedTable[]> {
    const tables = (await this.catalogue.organizationTables()).filter(({ notExported }) => notExported === undefined);
    const encrypted = this.ports.all(EncryptedColumns).flatMap((port) => port.encrypted);
    return [await this.catalogue.organizations(), ...tables].map(
      (table) =>
        new MovedTable(
          table,
          encrypted.filter((column) => column.table === table.name),
        ),
    );
  }

  /** Readable without the keys of this installation. */
  open({ name, encrypted }: MovedTable, { row, secrets }: StoredRow): MoveRecord<RowHead> {
    const bytes: Record<string, string | null> = {};
    for (const [index, column] of encrypted.entries()) {
      const stored = secrets[index] ?? null;
      bytes[column.column] = stored && this.secrets.decryptBytes(stored, ownerOf(column, row)).toString('base64');
    }
    return { head: { table: name, bytes }, body: row };
  }

  /** A part of a file that a foreign store has, as a row of the table that would have it in Postgres. */
  ofFile({ table, row }: { readonly table: string; readonly row: object }): MoveRecord<RowHead> {
    const { content, ...values } = row as Readonly<Record<string, string>>;
    const columns = Object.entries(values).map(([property, value]) => [snakeCase(property), value]);
    return { head: { table, bytes: { content: content! } }, body: JSON.stringify(Object.fromEntries(columns)) };
  }

  /** The row with its secrets under the key of this installation. */
  close({ encrypted }: MovedTable, { head, body }: MoveRecord<RowHead>): string {
    const added = Object.entries(head.bytes).map(([name, text]) => {
      const bytes = text === null ? null : Buffer.from(text, 'base64');
      const column = encrypted.find((candidate) => candidate.column === name);
      const stored = bytes && column ? this.secrets.encryptBytes(bytes, ownerOf(column, body)) : bytes;
      return `,${JSON.stringify(name)}:${stored ? `"\\\\x${stored.toString('hex')}"` : 'null'}`;
    });
    return `${body.slice(0, -1)}${added.join('')}}`;
  }
}

function ownerOf({ key, owner }: EncryptedColumn, row: string): string {
  const values = JSON.parse(row) as Readonly<Record<string, unknown>>;
  return owner(...key.map((name) => String(values[name])));
}
