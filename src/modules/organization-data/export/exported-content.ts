import { Injectable } from '@nestjs/common';
import { StartError } from '../../../kernel/start-error.js';
import { Ports } from '../../../store/discovery/ports.js';
import { EncryptedColumns } from '../../../store/secrets/encrypted-column.js';
import { Secrets } from '../../../store/secrets/secrets.js';

/** Decrypts the files of customers. */
@Injectable()
export class ExportedContent {
  constructor(
    private readonly ports: Ports,
    private readonly secrets: Secrets,
  ) {}

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
}
