import { Injectable } from '@nestjs/common';
import { FileStoreCalls } from './file-store-calls.js';
import { StoredFiles } from './stored-files.js';
import { StoredFilesRepository } from './stored-files.repository.js';

/** For operators: whether the files that the database says are in a store can be read there. */
@Injectable()
export class FileExamination {
  constructor(
    private readonly calls: FileStoreCalls,
    private readonly repository: StoredFilesRepository,
    private readonly files: StoredFiles,
  ) {}

  /** What was found, in words. Throws if a file cannot be read. */
  async examine(): Promise<string> {
    const count = await this.repository.countKept();
    if (!this.calls.store) {
      if (count === 0) return 'Postgres has all files';
      throw new Error(`${count} are in a file store that no extension of this installation offers: add the extension again.`);
    }
    const newest = await this.repository.newestKept();
    if (!newest) return 'the file store has none yet';
    const parts = await this.files.openIfKept(newest);
    // The first part shows that store and keys are right. A file may be large.
    await parts?.next();
    await parts?.return(undefined);
    return `${count} are in the file store, and the newest can be read`;
  }
}
