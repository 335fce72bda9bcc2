import { Injectable } from '@nestjs/common';
import type { Tenant } from '../../../kernel/context.js';
import type { WriteContext } from '../../../store/database/unit-of-work.js';
import { Database, type Statement } from '../../../store/database/database.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/encrypted-column.js';
import { Secrets } from '../../../store/secrets/secrets.js';

/** A file is stored in parts, so that a worker never has all of it in memory. */
const PART_BYTES = 1 << 20;

const INSERT: Statement = {
  name: 'statement_originals.insert',
  text: 'INSERT INTO statement_originals (statement_id, part, organization_id, environment, content) VALUES ($1, $2, $3, $4, $5)',
};
const GET: Statement = {
  name: 'statement_originals.get',
  text: 'SELECT content FROM statement_originals WHERE statement_id = $1 AND part = $2 AND organization_id = $3 AND environment = $4',
};
const DELETE: Statement = {
  name: 'statement_originals.delete',
  text: 'DELETE FROM statement_originals WHERE statement_id = $1 AND organization_id = $2 AND environment = $3',
};

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
  ) {}

  async store(ctx: WriteContext, statementId: string, file: Buffer): Promise<void> {
    for (let part = 0; part * PART_BYTES < file.length; part += 1) {
      const content = this.secrets.encryptBytes(file.subarray(part * PART_BYTES, (part + 1) * PART_BYTES), boundTo(statementId, part));
      await this.database.rows(INSERT, [statementId, part, ctx.organizationId, ctx.environment, content], ctx.unit);
    }
  }

  async *read({ organizationId, environment }: Tenant, statementId: string): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const [found] = await this.database.rows<{ content: Buffer }>(GET, [statementId, part, organizationId, environment]);
      if (!found) return;
      yield this.secrets.decryptBytes(found.content, boundTo(statementId, part));
    }
  }

  async remove(ctx: WriteContext, statementId: string): Promise<void> {
    await this.database.rows(DELETE, [statementId, ctx.organizationId, ctx.environment], ctx.unit);
  }
}
