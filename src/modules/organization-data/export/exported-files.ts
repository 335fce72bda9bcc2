import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { Ports } from '../../../store/discovery/ports.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { StoredFiles, type KeptFile } from '../../../store/files/stored-files.js';
import type { Snapshot } from '../snapshot.js';

const FILES_AT_ONCE = 100;
const KEPT = `SELECT organization_id AS "organizationId", environment, kind, id, owner_id AS "ownerId", name, data_key AS "dataKey"
  FROM stored_files WHERE status = 'kept' AND organization_id = `;

/** A part of a file as a row of the table that would have it in Postgres. */
export interface ExportedPart {
  readonly table: string;
  readonly row: object;
}

/** The files of an organization that are in a foreign store. */
@Injectable()
export class ExportedFiles {
  constructor(
    private readonly ports: Ports,
    private readonly stored: StoredFiles,
  ) {}

  /** One part after the other. A file that was removed since the moment of the export is left out. */
  async *partsIn(snapshot: Snapshot, organizationId: string): AsyncGenerator<ExportedPart> {
    for await (const files of snapshot.batches<KeptFile>(`${KEPT}${pg.escapeLiteral(organizationId)} ORDER BY id`, FILES_AT_ONCE))
      for (const file of files) yield* this.partsOf(file);
  }

  private async *partsOf(file: KeptFile): AsyncGenerator<ExportedPart> {
    const { kind, organizationId, environment } = file;
    const owner = this.ports.all(FileOwner).find((candidate) => candidate.kind === kind);
    if (!owner) throw new Error(`Nobody has files of the kind ${kind}.`);
    const parts = await this.stored.openIfKept(file);
    if (!parts) return;
    let part = 0;
    for await (const content of parts) {
      yield { table: kind, row: { ...owner.rowOf(file), part, organizationId, environment, content: content.toString('base64') } };
      part += 1;
    }
  }
}
