import { Injectable } from '@nestjs/common';
import { Implements } from '../../../store/discovery/ports.js';
import { FileOwner } from '../../../store/files/file-owner.js';
import type { FileOf } from '../../../store/files/stored-files.js';
import { originalOf } from './originals.repository.js';

/** Originals in a foreign store, as an export has them. */
@Implements(FileOwner)
@Injectable()
export class ExportedOriginals implements FileOwner {
  readonly kind = originalOf('').kind;

  rowOf({ ownerId }: FileOf): object {
    return { statementId: ownerId };
  }
}
