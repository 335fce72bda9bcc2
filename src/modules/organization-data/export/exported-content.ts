import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { StartError } from '../../../kernel/start-error.js';
import { Ports } from '../../../store/discovery/ports.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { StoredFiles, type KeptFile } from '../../../store/files/stored-files.js';
import { EncryptedColumns } from '../../../store/secrets/encrypted-column.js';
import { Secrets } from '../../../store/secrets/secrets.js';
import type { Snapshot } from '../snapshot.js';

const FILES_AT_ONCE = 100;
const KEPT = `SELECT organization_id AS "organizationId", environment, kind, id, owner_id AS "ownerId", name, data_key AS "dataKey"
  FROM stored_files WHERE status = 'kept' AND organization_id = `;

/** A part of a file as a row of the table that would have it in Postgres. */
export interface ExportedPart {
  readonly table: string;
  readonly row: object;
}

/** Decrypts the files of customers. */
@Injectable()
export class ExportedContent {
  constructor(
    private readonly ports: Ports,
    private readonly secrets: Secrets,
    private readonly stored: StoredFiles,
  ) {}

  /** The files in a foreign store, one part after the other. A file that was removed since the moment of the export is left out. */
  async *elsewhere(snapshot: Snapshot, organizationId: string): AsyncGenerator<ExportedPart> {
    for await (const files of snapshot.batches<KeptFile>(`${KEPT}${pg.escapeLiteral(organizationId)} ORDER BY id`, FILES_AT_ONCE))
      for (const file of files) yield* this.partsOf(file);
  }

  /** The bytes of a column of the row with a primary key. They need not be encrypted. */
  decrypted(table: string, column: string, key: readonly string[], stored: Buffer): Buffer {
    const columns = this.ports.all(EncryptedColumns).flatMap(({ encrypted }) => encrypted);
    const found = columns.find((encrypted) => encrypted.table === table && encrypted.column === column);
    if (!found) return stored;
    try {
      return this.secrets.decryptBytes(stored, found.owner(...key));
    } catch (error) {
      throw new StartError(`Nothing was exported: ${(error as Error).message}`);
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
