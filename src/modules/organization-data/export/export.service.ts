import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { type Actor, changeContext } from '../../../kernel/context.js';
import { Settings, StartError } from '../../../kernel/settings/settings.js';
import { Clock } from '../../../kernel/time.js';
import { AuditRecorder } from '../../../store/audit/audit-recorder.js';
import { patientConnectionOptions } from '../../../store/database/connection-options.js';
import { readError } from '../../../store/database/database.js';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import { Ports } from '../../../store/discovery/ports.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { type KeptFile, StoredFiles } from '../../../store/files/stored-files.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { type AuditEvent, PersonalValues } from '../../audit/index.js';
import { CatalogueRepository, type OrganizationTable, ownedBy, quote } from '../catalogue.repository.js';

const FILES_AT_ONCE = 100;
const KEPT = `SELECT organization_id AS "organizationId", environment, kind, id, owner_id AS "ownerId", name, data_key AS "dataKey"
  FROM stored_files WHERE status = 'kept' AND organization_id = `;

/** A part of a file as a row of the table that would have it in Postgres. */
type ExportedPart = { readonly table: string; readonly row: object };

@Injectable()
export class ExportedContent {
  constructor(
    private readonly ports: Ports,
    private readonly secrets: Secrets,
    private readonly stored: StoredFiles,
    private readonly personal: PersonalValues,
  ) {}

  /** The files in a foreign store, one part after the other. A file that was removed since the moment of the export is left out. */
  async *elsewhere(snapshot: Snapshot, organizationId: string): AsyncGenerator<ExportedPart> {
    for await (const files of snapshot.batches<KeptFile>(`${KEPT}${pg.escapeLiteral(organizationId)} ORDER BY id`, FILES_AT_ONCE))
      for (const file of files) yield* this.partsOf(file);
  }

  /** Events of the audit log as the API returns them: with what they say of people, and the salts by which that is verified. */
  async revealed(table: string, rows: readonly ExportedRow[]): Promise<ExportedRow[]> {
    if (table !== 'audit_events') return [...rows];
    const events = await this.personal.reveal(rows.map(({ row }) => JSON.parse(row) as AuditEvent)).catch(notExported);
    return rows.map((exported, index) => ({ ...exported, row: JSON.stringify(events[index]) }));
  }

  /** The bytes of a column of the row with a primary key. They need not be encrypted. */
  decrypted(table: string, column: string, key: readonly string[], stored: Buffer): Buffer {
    const columns = this.ports.all(EncryptedColumns).flatMap(({ encrypted }) => encrypted);
    const found = columns.find((encrypted) => encrypted.table === table && encrypted.column === column);
    if (!found) return stored;
    try {
      return this.secrets.decryptBytes(stored, found.owner(...key));
    } catch (error) {
      return notExported(error);
    }
  }

  private async *partsOf(file: KeptFile): AsyncGenerator<ExportedPart> {
    const { kind, organizationId, environment } = file;
    const owner = this.ports.all(FileOwner).find((candidate) => candidate.kind === kind);
    if (!owner) throw new StartError(`Nothing was exported: nobody has files of the kind ${kind}.`);
    const parts = await this.stored.openIfKept(file);
    if (!parts) return;
    let part = 0;
    for await (const content of parts) {
      yield { table: kind, row: { ...owner.rowOf(file), part, organizationId, environment, content: content.toString('base64') } };
      part += 1;
    }
  }
}

function notExported(error: unknown): never {
  throw new StartError(`Nothing was exported: ${(error as Error).message}`);
}

interface ExportedRow {
  readonly row: string;
  readonly bytes?: Buffer | null;
  readonly key: readonly string[];
}

interface ExportedTable {
  readonly name: string;
  readonly bytes: string | undefined;
  /** Selects an `ExportedRow` for each row, in the order of the primary key. */
  readonly select: (organizationId: string) => string;
  /** How many rows are in memory at a time: rows with files or documents are large. */
  readonly rowsAtOnce: number;
}

const BYTES = 'bytea';
const TIME = 'timestamp with time zone';
export const ROWS_AT_ONCE = { file: 1, document: 16, values: 500 };

/** `period_start` is `periodStart`, as in the API. */
const propertyOf = (column: string): string => column.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** The columns of a table that are exported: bytes only if the entity says that they are content. */
export function exportedColumns({ columns, exportedBytes, leftOut }: Pick<OrganizationTable, 'columns' | 'exportedBytes' | 'leftOut'>) {
  return columns.filter(({ name, type }) => !leftOut.has(name) && (type !== BYTES || exportedBytes.has(name)));
}

function exportedTable(table: OrganizationTable): ExportedTable {
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

/** Changes whenever a reader of exports would have to change. Tables and columns may be added without that. */
const FORMAT = 'claims-organization/1';

@Injectable()
export class ExportService {
  constructor(
    private readonly catalogue: CatalogueRepository,
    private readonly content: ExportedContent,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** A heading, a line for each row, and the number of rows of each table: all as at one moment, few of them in memory at a time. */
  async *export(actor: Actor, organizationId: string): AsyncGenerator<string> {
    await this.unitOfWork.run(changeContext(organizationId, actor), (ctx) => {
      this.audit.record(ctx, { action: 'organization.exported', resourceId: organizationId, changes: {} });
      return Promise.resolve();
    });
    const tables = (await this.catalogue.exportedTables()).map(exportedTable);
    const snapshot = await Snapshot.open(this.settings);
    try {
      yield JSON.stringify({ format: FORMAT, organizationId, exportedAt: this.clock.timestamp() });
      const counts: Record<string, number> = {};
      for (const table of tables) {
        counts[table.name] = 0;
        for await (const rows of snapshot.batches<ExportedRow>(table.select(organizationId), table.rowsAtOnce)) {
          counts[table.name]! += rows.length;
          for (const row of await this.content.revealed(table.name, rows))
            yield `{"table":${JSON.stringify(table.name)},"row":${this.withBytes(table, row)}}`;
        }
      }
      for await (const { table, row } of this.content.elsewhere(snapshot, organizationId)) {
        counts[table]! += 1;
        yield JSON.stringify({ table, row });
      }
      yield JSON.stringify({ end: true, rows: counts });
    } finally {
      await snapshot.close();
    }
  }

  private withBytes({ name, bytes }: ExportedTable, { row, ...found }: ExportedRow): string {
    if (bytes === undefined) return row;
    const content = found.bytes && this.content.decrypted(name, bytes, found.key, found.bytes);
    return `${row.slice(0, -1)},${JSON.stringify(bytes)}:${JSON.stringify(content?.toString('base64') ?? null)}}`;
  }
}

const BEGIN = [
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  'SET LOCAL statement_timeout = 0',
  'SET LOCAL idle_in_transaction_session_timeout = 0',
  // The moment is that of the first query.
  'SELECT 1',
];

/** The database as it was at one moment. It has a connection of its own, since that takes longer than a request may. */
export class Snapshot {
  static async open({ databaseUrl, databasePooler }: Pick<Settings, 'databaseUrl' | 'databasePooler'>): Promise<Snapshot> {
    const source = await new DataSource(patientConnectionOptions(databaseUrl!, databasePooler)).initialize();
    const snapshot = new Snapshot(source, source.createQueryRunner());
    await snapshot.begin();
    return snapshot;
  }

  private constructor(
    private readonly source: DataSource,
    private readonly runner: QueryRunner,
  ) {}

  async *batches<Row>(select: string, rowsAtOnce: number): AsyncGenerator<Row[]> {
    await this.query(`DECLARE read NO SCROLL CURSOR FOR ${select}`);
    for (;;) {
      const rows = await this.query<Row>(`FETCH ${rowsAtOnce} FROM read`);
      if (rows.length > 0) yield rows;
      if (rows.length < rowsAtOnce) break;
    }
    await this.query('CLOSE read');
  }

  async renew(): Promise<void> {
    await this.query('COMMIT');
    await this.begin();
  }

  async close(): Promise<void> {
    await this.runner.release();
    await this.source.destroy();
  }

  private async begin(): Promise<void> {
    for (const statement of BEGIN) await this.query(statement);
  }

  private async query<Row>(sql: string): Promise<Row[]> {
    try {
      return (await this.runner.query(sql)) as Row[];
    } catch (error) {
      throw readError(error);
    }
  }
}
