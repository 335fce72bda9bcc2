import type { Tenant } from '../../kernel/context.js';
import { snakeCase } from '../../kernel/text.js';
import type { Database } from '../database/database.js';
import type { WriteContext } from '../database/unit-of-work.js';
import type { EncryptedColumns, Secrets } from '../secrets/secrets.js';
import { TENANT, tenantSql } from '../tenant/tenant-sql.js';
import type { FileOwner } from './file-owner.js';
import type { FileOf, PlacedFile, StoredFiles } from './stored-files.js';

/** A file is stored in parts, so that a worker never has all of it in memory. */
const PART_BYTES = 1 << 20;

/** A file that somebody has sent, and where it is if it was put into a foreign store. */
export interface Original {
  readonly file: Buffer;
  readonly placed?: PlacedFile | undefined;
}

interface Kept {
  readonly table: string;
  /** The property with the id of the record that a file belongs to. */
  readonly owner: string;
  /** Each part is bound to its record by this name and the id. */
  readonly noun: string;
}

/** The files of a table, encrypted: a part in each row, unless a foreign store has them. A subclass implements both ports. */
export abstract class EncryptedFiles implements EncryptedColumns, FileOwner {
  readonly kind: string;
  readonly encrypted: EncryptedColumns['encrypted'];
  private readonly insertSql;
  private readonly getSql;
  private readonly deleteSql;

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly stored: StoredFiles,
    private readonly kept: Kept,
  ) {
    const { table } = kept;
    const column = snakeCase(kept.owner);
    const owner = (id: string, part: string): string => this.boundTo(id, Number(part));
    this.kind = table;
    this.encrypted = [{ table, column: 'content', key: [column, 'part', 'organization_id'], owner, rowsAtOnce: 2 }];
    const sql = (name: string, text: string) => tenantSql(`${table}.${name}`, text, 'Of a record that was read before.');
    const columns = `${column}, part, organization_id, environment, content`;
    this.insertSql = sql('insert', `INSERT INTO ${table} (${columns}) VALUES (:ownerId, :part, :organizationId, :environment, :content)`);
    const ofOwner = `${column} = :ownerId AND ${TENANT}`;
    this.getSql = sql('get', `SELECT content FROM ${table} WHERE ${ofOwner} AND part = :part`);
    this.deleteSql = sql('delete', `DELETE FROM ${table} WHERE ${ofOwner}`);
  }

  /** What a file is in a foreign store. */
  fileOf(ownerId: string): FileOf {
    return { kind: this.kind, ownerId, name: '' };
  }

  rowOf({ ownerId }: FileOf): object {
    return { [this.kept.owner]: ownerId };
  }

  /** Runs a transaction that stores files. Before it they are scanned, and where they go to a foreign store, put there. */
  async placing<T>(
    tenant: Tenant,
    files: readonly { readonly id: string; readonly file: Buffer }[],
    work: (originals: readonly Original[]) => Promise<T>,
  ): Promise<T> {
    await this.stored.requireClean(
      tenant,
      files.map(({ file }) => file),
    );
    const wanted = files.map(({ id, file }) => ({ ...this.fileOf(id), parts: () => partsOf(file) }));
    return this.stored.placing(tenant, wanted, (placed) => work(files.map(({ file }, index) => ({ file, placed: placed[index] }))));
  }

  async store(ctx: WriteContext, ownerId: string, { file, placed }: Original): Promise<void> {
    if (placed) return this.stored.claim(ctx, placed);
    for (const [part, bytes] of partsOf(file).entries()) {
      const content = this.secrets.encryptBytes(bytes, this.boundTo(ownerId, part));
      await this.database.rows(...this.insertSql.bind(ctx, { ownerId, part, content }), ctx.unit);
    }
  }

  /** The file, read while it is used. */
  async open(tenant: Tenant, ownerId: string): Promise<AsyncIterable<Uint8Array>> {
    return (await this.stored.open(tenant, this.fileOf(ownerId))) ?? this.read(tenant, ownerId);
  }

  async remove(ctx: WriteContext, ownerId: string): Promise<void> {
    await this.database.rows(...this.deleteSql.bind(ctx, { ownerId }), ctx.unit);
    await this.stored.retire(ctx, this.fileOf(ownerId));
  }

  private boundTo(ownerId: string, part: number): string {
    return `${this.kept.noun} ${ownerId} part ${part}`;
  }

  private async *read(tenant: Tenant, ownerId: string): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const [found] = await this.database.rows<{ content: Buffer }>(...this.getSql.bind(tenant, { ownerId, part }));
      if (!found && part === 0) await this.stored.requireNoneElsewhere(tenant, this.fileOf(ownerId));
      if (!found) return;
      yield this.secrets.decryptBytes(found.content, this.boundTo(ownerId, part));
    }
  }
}

export function partsOf(file: Buffer): Buffer[] {
  const count = Math.ceil(file.length / PART_BYTES);
  return Array.from({ length: count }, (_, part) => file.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
}
