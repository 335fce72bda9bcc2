import { JobFailure } from '../../../kernel/failure.js';
import { entriesOf, type ZipEntry } from '../../../kernel/zip-archive.js';
import { isZip } from '../formats/detect-format.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE, MAX_UNPACKED_BYTES } from '../formats/limits.js';

const MAX_MEMBERS = 100;
/** Workbooks are archives, too, of up to this many parts. */
const LIMITS = { files: 2000, unpackedBytes: MAX_UNPACKED_BYTES };
/** Parts that make an archive a document, for the readers to read or refuse. */
const DOCUMENT_PARTS = new Set(['[Content_Types].xml', 'mimetype']);
/** What computers put into archives beside the files that people chose. */
const BY_THE_COMPUTER = /^__MACOSX\/|(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/;

export interface ArchiveMember {
  readonly path: string;
  readonly file: Buffer;
}

/** The files of an archive of statements; null for another file or one that is too large. Fails if one of them cannot be imported. */
export function membersIn(file: Buffer): readonly ArchiveMember[] | null {
  if (file.length > MAX_FILE_BYTES || !isZip(file)) return null;
  const entries = entriesOf(file, LIMITS);
  if (entries.some(({ path }) => DOCUMENT_PARTS.has(path))) return null;
  const members = entries.filter(({ path }) => !BY_THE_COMPUTER.test(path));
  if (members.length === 0) throw new JobFailure('empty_file', 'The archive has no files.');
  if (members.length > MAX_MEMBERS) throw new JobFailure('archive_too_large', `The archive has more than ${MAX_MEMBERS} files.`);
  return members.map((entry, index) => ({ path: entry.path, file: contentOf(entry, `File ${index + 1} of the archive`) }));
}

function contentOf({ size, isEncrypted, content }: ZipEntry, place: string): Buffer {
  if (isEncrypted) throw new JobFailure('format_not_supported', `${place} is encrypted. Unpack the archive and import its files.`);
  if (size > MAX_FILE_BYTES) throw new JobFailure('file_too_large', `${place} is larger than ${MAX_FILE_SIZE}.`);
  const file = content();
  if (isArchive(file)) throw new JobFailure('format_not_supported', `${place} is an archive itself. Unpack it and import its files.`);
  return file;
}

function isArchive(file: Buffer): boolean {
  return isZip(file) && !entriesOf(file, LIMITS).some(({ path }) => DOCUMENT_PARTS.has(path));
}
