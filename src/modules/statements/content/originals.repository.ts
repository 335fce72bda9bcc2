import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import { Database, prepared } from '../../../store/database/database.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Implements } from '../../../store/discovery/ports.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { type FileOf, type PlacedFile, StoredFiles } from '../../../store/files/stored-files.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';

/** A file is stored in parts, so that a worker never has all of it in memory. */
const PART_BYTES = 1 << 20;

const INSERT = prepared({
  name: 'statement_originals.insert',
  text: 'INSERT INTO statement_originals (statement_id, part, organization_id, environment, content) VALUES ($1, $2, $3, $4, $5)',
});
const GET = prepared({
  name: 'statement_originals.get',
  text: 'SELECT content FROM statement_originals WHERE statement_id = $1 AND part = $2 AND organization_id = $3 AND environment = $4',
});
const DELETE = prepared({
  name: 'statement_originals.delete',
  text: 'DELETE FROM statement_originals WHERE statement_id = $1 AND organization_id = $2 AND environment = $3',
});

/** An imported file, and where it is if it was put into a foreign store. */
export interface Original {
  readonly file: Buffer;
  readonly placed?: PlacedFile | undefined;
}

/** What it is in a foreign store. */
export const originalOf = (statementId: string): FileOf => ({ kind: 'statement_originals', ownerId: statementId, name: '' });

const boundTo = (statementId: string, part: number): string => `bank statement ${statementId} part ${part}`;

/** The imported files, encrypted. */
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
      await this.database.rows(INSERT, [statementId, part, ctx.organizationId, ctx.environment, content], ctx.unit);
    }
  }

  /** The file, read while it is used. */
  async open(tenant: Tenant, statementId: string): Promise<AsyncIterable<Uint8Array>> {
    return (await this.stored.open(tenant, originalOf(statementId))) ?? this.read(tenant, statementId);
  }

  async remove(ctx: WriteContext, statementId: string): Promise<void> {
    await this.database.rows(DELETE, [statementId, ctx.organizationId, ctx.environment], ctx.unit);
    await this.stored.retire(ctx, originalOf(statementId));
  }

  private async *read({ organizationId, environment }: Tenant, statementId: string): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const [found] = await this.database.rows<{ content: Buffer }>(GET, [statementId, part, organizationId, environment]);
      if (!found && part === 0) await this.stored.requireNoneElsewhere({ organizationId, environment }, originalOf(statementId));
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
