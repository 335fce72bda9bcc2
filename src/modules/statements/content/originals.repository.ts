import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database } from '../../../store/database/database.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { type FileOf, type PlacedFile, StoredFiles } from '../../../store/files/stored-files.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';
import { TENANT, tenantSql } from '../../../store/tenant/tenant-sql.js';

/** A file is stored in parts, so that a worker never has all of it in memory. */
const PART_BYTES = 1 << 20;

const INSERT = tenantSql(
  'statement_originals.insert',
  `INSERT INTO statement_originals (statement_id, part, organization_id, environment, content)
    VALUES (:statementId, :part, :organizationId, :environment, :content)`,
);
const GET = tenantSql(
  'statement_originals.get',
  `SELECT content FROM statement_originals WHERE statement_id = :statementId AND part = :part AND ${TENANT}`,
);
const DELETE = tenantSql('statement_originals.delete', `DELETE FROM statement_originals WHERE statement_id = :statementId AND ${TENANT}`);

/** An imported file, and where it is if it was put into a foreign store. */
export interface Original {
  readonly file: Buffer;
  readonly placed?: PlacedFile | undefined;
}

/** What it is in a foreign store. */
export const originalOf = (statementId: string): FileOf => ({ kind: 'statement_originals', ownerId: statementId, name: '' });

const boundTo = (statementId: string, part: number): string => `bank statement ${statementId} part ${part}`;

@Injectable()
@Implements(EncryptedColumns)
export class OriginalsRepository implements EncryptedColumns {
  readonly encrypted = [
    {
      table: 'statement_originals',
      column: 'content',
      key: ['statement_id', 'part', 'organization_id'],
      owner: (id: string, part: string) => boundTo(id, Number(part)),
      rowsAtOnce: 2,
    },
  ];

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly stored: StoredFiles,
  ) {}

  /** Runs a transaction that stores files of statements. Where they go to a foreign store, they are put there before. */
  placing<T>(
    tenant: Tenant,
    files: readonly { readonly id: string; readonly file: Buffer }[],
    work: (originals: readonly Original[]) => Promise<T>,
  ): Promise<T> {
    const wanted = files.map(({ id, file }) => ({ ...originalOf(id), parts: () => partsOf(file) }));
    return this.stored.placing(tenant, wanted, (placed) => work(files.map(({ file }, index) => ({ file, placed: placed[index] }))));
  }

  async store(ctx: WriteContext, statementId: string, { file, placed }: Original): Promise<void> {
    if (placed) return this.stored.claim(ctx, placed);
    for (const [part, bytes] of partsOf(file).entries()) {
      const content = this.secrets.encryptBytes(bytes, boundTo(statementId, part));
      await this.database.rows(...INSERT.bind(ctx, { statementId, part, content }), ctx.unit);
    }
  }

  /** The file, read while it is used. */
  async open(tenant: Tenant, statementId: string): Promise<AsyncIterable<Uint8Array>> {
    return (await this.stored.open(tenant, originalOf(statementId))) ?? this.read(tenant, statementId);
  }

  async remove(ctx: WriteContext, statementId: string): Promise<void> {
    await this.database.rows(...DELETE.bind(ctx, { statementId }), ctx.unit);
    await this.stored.retire(ctx, originalOf(statementId));
  }

  private async *read(tenant: Tenant, statementId: string): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const [found] = await this.database.rows<{ content: Buffer }>(...GET.bind(tenant, { statementId, part }));
      if (!found && part === 0) await this.stored.requireNoneElsewhere(tenant, originalOf(statementId));
      if (!found) return;
      yield this.secrets.decryptBytes(found.content, boundTo(statementId, part));
    }
  }
}

function partsOf(file: Buffer): Buffer[] {
  const count = Math.ceil(file.length / PART_BYTES);
  return Array.from({ length: count }, (_, part) => file.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
}

/** Originals in a foreign store, as an export has them. */
@Implements(FileOwner)
@Injectable()
export class ExportedOriginals implements FileOwner {
  readonly kind = originalOf('').kind;

  rowOf({ ownerId }: FileOf): object {
    return { statementId: ownerId };
  }
}
