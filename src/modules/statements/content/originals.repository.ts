import { Injectable } from '@nestjs/common';
import { Database } from '../../../store/database/database.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EncryptedFiles } from '../../../store/files/encrypted-files.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import { type FileOf, StoredFiles } from '../../../store/files/stored-files.js';
import { EncryptedColumns, Secrets } from '../../../store/secrets/secrets.js';

const TABLE = 'statement_originals';

/** What an original is in a foreign store. */
export const originalOf = (statementId: string): FileOf => ({ kind: TABLE, ownerId: statementId, name: '' });

@Injectable()
@Implements(EncryptedColumns)
@Implements(FileOwner)
export class OriginalsRepository extends EncryptedFiles {
  constructor(database: Database, secrets: Secrets, stored: StoredFiles) {
    super(database, secrets, stored, { table: TABLE, owner: 'statementId', noun: 'bank statement' });
  }
}
