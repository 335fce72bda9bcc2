import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Job } from '../jobs/job.decorator.js';
import { FileStoreAway, FileStoreCalls, LONGEST_PUT_MS } from './file-store-calls.js';
import { keyOf, REMOVE_FILES } from './stored-files.js';
import { StoredFilesRepository, type FilePlace } from './stored-files.repository.js';
import { DatabaseClock } from '../database/database-clock.js';

const EVERY_MS = 60_000;
/** A call that was cut off may still have an effect in the store. */
const PUT_IS_OVER_MS = 2 * LONGEST_PUT_MS;
const LOOKS_AGAIN_MS = 1000;

/** Removes files from the store of an extension: first there, then the row that knows them. */
@Injectable()
export class FileRemoval {
  constructor(
    private readonly calls: FileStoreCalls,
    private readonly files: StoredFilesRepository,
    private readonly clock: DatabaseClock,
  ) {}

  @Job({
    id: REMOVE_FILES,
    summary: 'Removes files from a file store: those that were deleted, and those that no transaction has claimed within an hour.',
    everyMs: EVERY_MS,
  })
  async removeDue(): Promise<void> {
    while (this.calls.store) {
      const due = await this.files.due();
      if (due.length === 0) return;
      for (const file of due) if (await this.files.take(file)) await this.remove(file);
    }
  }

  /** All files of an organization. Throws unless all are gone. */
  async removeAll(organizationId: string): Promise<void> {
    while (await this.files.hasAny(organizationId)) {
      if (!this.calls.store) throw new FileStoreAway('It has files in a file store that no extension of this installation offers.');
      await this.files.retireAll(organizationId, new Date(this.clock.now().getTime() - PUT_IS_OVER_MS).toISOString());
      const next = await this.files.nextOf(organizationId);
      for (const file of next) await this.remove(file);
      // What is left is being put.
      if (next.length === 0) await delay(LOOKS_AGAIN_MS);
    }
  }

  private async remove(file: FilePlace): Promise<void> {
    await this.calls.remove(file.organizationId, keyOf(file));
    await this.files.removed(file);
  }
}
