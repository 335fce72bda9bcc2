import { crc32, inflateRawSync } from 'node:zlib';

/** An archive that is damaged, too large, or packed in a way that is not supported: `code` says which. */
export class ArchiveError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface ZipEntry {
  readonly path: string;
  readonly size: number;
  readonly isEncrypted: boolean;
  /** The content. Fails if it is damaged, or larger than `size` says. */
  readonly content: () => Buffer;
}

export interface ArchiveLimits {
  readonly files: number;
  /** Of all files together. */
  readonly unpackedBytes: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 0xffff;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Values that say that the real ones are elsewhere, in archives of more than 4 GB. */
const ELSEWHERE = 0xffffffff;
const UTF8_NAME = 0x0800;
const MIB = 1024 * 1024;

/** Sizes and checksums are those of the archive's directory, and each file is held to them, which the ZIP libraries do not do. */
export function entriesOf(archive: Buffer, limits: ArchiveLimits): readonly ZipEntry[] {
  return allEntriesOf(archive, limits).filter(({ path }) => !path.endsWith('/'));
}

/** The same with folders, which a hostile archive may give a content. */
export function allEntriesOf(archive: Buffer, limits: ArchiveLimits): readonly ZipEntry[] {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count > limits.files) throw new ArchiveError('archive_too_large', `The archive has more than ${limits.files} files.`);
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  let unpacked = 0;
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = entryAt(archive, at);
    at = next;
    unpacked += entry.size;
    if (unpacked > limits.unpackedBytes)
      throw new ArchiveError('archive_too_large', `The files of the archive are together larger than ${limits.unpackedBytes / MIB} MiB.`);
    entries.push(entry);
  }
  return entries;
}

/** The end record, which a comment may follow. */
function endOf(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - MAX_COMMENT);
  for (let at = archive.length - END_BYTES; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) !== END || at + END_BYTES + archive.readUInt16LE(at + 20) !== archive.length) continue;
    return at;
  }
  throw new ArchiveError('incomplete_file', 'The archive is incomplete or damaged: its directory is missing.');
}

function entryAt(archive: Buffer, at: number): { entry: ZipEntry; next: number } {
  if (at + DIRECTORY_ENTRY_BYTES > archive.length || archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged();
  const flags = archive.readUInt16LE(at + 8);
  const method = archive.readUInt16LE(at + 10);
  const checksum = archive.readUInt32LE(at + 16);
  const packed = archive.readUInt32LE(at + 20);
  const size = archive.readUInt32LE(at + 24);
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [number, number, number];
  const start = archive.readUInt32LE(at + 42);
  if ([packed, size, start].includes(ELSEWHERE)) throw damaged();
  const nameAt = at + DIRECTORY_ENTRY_BYTES;
  const name = archive.subarray(nameAt, nameAt + nameBytes);
  const entry: ZipEntry = {
    path: name.toString(flags & UTF8_NAME ? 'utf8' : 'latin1').replaceAll('\\', '/'),
    size,
    isEncrypted: (flags & 1) === 1,
    content: () => unpackedAt(archive, { start, packed, size, method, checksum }),
  };
  return { entry, next: nameAt + nameBytes + extraBytes + commentBytes };
}

interface Packed {
  readonly start: number;
  readonly packed: number;
  readonly size: number;
  readonly method: number;
  readonly checksum: number;
}

function unpackedAt(archive: Buffer, { start, packed, size, method, checksum }: Packed): Buffer {
  if (start + LOCAL_HEADER_BYTES > archive.length || archive.readUInt32LE(start) !== LOCAL_HEADER) throw damaged();
  const from = start + LOCAL_HEADER_BYTES + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28);
  const content = inflated(archive.subarray(from, from + packed), method, size);
  if (content.length !== size || crc32(content) !== checksum) throw damaged();
  return content;
}

function inflated(bytes: Buffer, method: number, size: number): Buffer {
  if (method === STORED) return bytes;
  if (method !== DEFLATED) throw new ArchiveError('format_not_supported', 'The archive is compressed in a way that is not supported.');
  if (size === 0) return Buffer.alloc(0);
  try {
    return inflateRawSync(bytes, { maxOutputLength: size });
  } catch {
    throw damaged();
  }
}

const damaged = (): ArchiveError =>
  new ArchiveError('invalid_archive', 'The archive is damaged, or one of its files is larger than it says.');
