import { Injectable } from '@nestjs/common';
import { FileRemoval } from '../../../store/files/file-removal.js';
import { RowsRepository } from './rows.repository.js';

/** Erases what an organization has: files in a foreign store, then rows. Can be interrupted and repeated. */
@Injectable()
export class ContentErasure {
  constructor(
    private readonly files: FileRemoval,
    private readonly rows: RowsRepository,
  ) {}

  /** All files, and the rows of the tables that are included. While a store is away, it throws, and no row goes. */
  async erase(organizationId: string, isIncluded: (table: string) => boolean): Promise<void> {
    await this.files.removeAll(organizationId);
    await this.rows.erase(organizationId, isIncluded);
  }
}
