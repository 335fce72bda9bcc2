import { allEntriesOf as readAll, ArchiveError, type ArchiveLimits, type ZipEntry } from '../../tools/zip-archives/index.js';
import { JobFailure } from './failure.js';

export type { ZipEntry };

/** With folders, which a hostile archive may give a content. What is wrong with it is told as the failure of a job. */
export const allEntriesOf = (archive: Buffer, limits: ArchiveLimits): readonly ZipEntry[] =>
  told(() => readAll(archive, limits)).map((entry) => ({ ...entry, content: () => told(entry.content) }));

/** The same without folders. */
export const entriesOf = (archive: Buffer, limits: ArchiveLimits): readonly ZipEntry[] =>
  allEntriesOf(archive, limits).filter(({ path }) => !path.endsWith('/'));

function told<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof ArchiveError ? new JobFailure(error.code, error.message) : error;
  }
}
