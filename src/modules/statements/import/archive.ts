import { type Failure, JobFailure } from '../../../kernel/failure.js';
import { Problem } from '../../../kernel/problems.js';
import { isMisnamed, kindOf } from '../../../kernel/file-kinds.js';
import { entriesOf, type ZipEntry } from '../../../kernel/zip-archive.js';
import { isZip } from '../formats/detect-format.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE, MAX_UNPACKED_BYTES } from '../../../../tools/bank-files/index.js';

export const MAX_MEMBERS = 100;
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

/** A file that is not taken. What people read of it is in their language. */
export class FileRefusal extends Problem {
  /** `number`: which file of the archive it is, or how many files an upload link takes instead. `failure`: of reading it. */
  constructor(
    readonly why: string,
    detail: string,
    readonly about: { readonly number?: number; readonly failure?: Failure } = {},
  ) {
    super('validation_failed', { detail, errors: [{ location: 'body', field: 'file', code: 'not_allowed', message: detail }] });
  }
}

/** The files of an archive of statements; null for another file or one that is too large. Refuses it if one of them cannot be imported. */
export function membersIn(file: Buffer): readonly ArchiveMember[] | null {
  try {
    return allMembersIn(file);
  } catch (error) {
    throw error instanceof JobFailure ? new FileRefusal(error.code, error.message) : error;
  }
}

function allMembersIn(file: Buffer): readonly ArchiveMember[] | null {
  if (file.length > MAX_FILE_BYTES || !isZip(file)) return null;
  const entries = entriesOf(file, LIMITS);
  if (entries.some(({ path }) => DOCUMENT_PARTS.has(path))) return null;
  const members = entries.filter(({ path }) => !BY_THE_COMPUTER.test(path));
  if (members.length === 0) throw new FileRefusal('empty_file', 'The archive has no files.');
  if (members.length > MAX_MEMBERS) throw new FileRefusal('too_many_files', `The archive has more than ${MAX_MEMBERS} files.`);
  return members.map((entry, index) => withRightName({ path: entry.path, file: contentOf(entry, index + 1) }, index + 1));
}

/** Refuses a file whose name says that it is something else: people and programs open it by that. */
export function withRightName(member: ArchiveMember, number?: number): ArchiveMember {
  if (!isMisnamed(member.path, kindOf(member.file))) return member;
  const which = number === undefined ? 'The file' : `File ${number} of the archive`;
  throw new FileRefusal('misnamed_file', `${which} is not what the ending of its name says. Give it the right name.`, {
    ...(number && { number }),
  });
}

function contentOf({ size, isEncrypted, content }: ZipEntry, number: number): Buffer {
  const refusal = (why: string, what: string) => new FileRefusal(why, `File ${number} of the archive is ${what}`, { number });
  if (isEncrypted) throw refusal('encrypted_file', 'encrypted. Unpack the archive and import its files.');
  if (size > MAX_FILE_BYTES) throw refusal('file_too_large', `larger than ${MAX_FILE_SIZE}.`);
  const file = content();
  if (isArchive(file)) throw refusal('nested_archive', 'an archive itself. Unpack it and import its files.');
  return file;
}

/** Whether the file is an archive of files. It is not unpacked for that. A broken archive fails later, with its reason. */
export function isArchiveOfFiles(file: Buffer): boolean {
  try {
    return isArchive(file);
  } catch (error) {
    if (error instanceof JobFailure) return false;
    throw error;
  }
}

function isArchive(file: Buffer): boolean {
  return isZip(file) && !entriesOf(file, LIMITS).some(({ path }) => DOCUMENT_PARTS.has(path));
}
