import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { JobFailure } from '../../../kernel/failure.js';

/** Where the bytes of a file go while it is written. */
export interface FileSink {
  add(chunk: Uint8Array): void;
}

/** A file that was written, compressed: a report of many lines is ten times as large without. */
export interface PackedFile {
  /** Of the file itself, as `sha256` is. */
  readonly bytes: number;
  readonly sha256: string;
  /** Each of them is compressed by itself. */
  readonly gzip: readonly Uint8Array[];
}

/** How much of a file is in a part. */
const PART_BYTES = 1024 * 1024;
const FAST = { level: 1 };

/** The bytes of a file, up to the limit of a run. They are compressed as they come, so that the whole file is never in memory. */
export class OutputFile implements FileSink {
  private readonly hash = createHash('sha256');
  private readonly packed: Uint8Array[] = [];
  private part: Uint8Array[] = [];
  private partBytes = 0;
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes)
      throw new JobFailure(
        'file_too_large',
        `An output file is larger than ${this.maxBytes} bytes. Report a shorter period, or set outputOptions.detail to "none".`,
      );
    this.hash.update(chunk);
    this.part.push(chunk);
    this.partBytes += chunk.length;
    if (this.partBytes >= PART_BYTES) this.pack();
  }

  finish(): PackedFile {
    if (this.partBytes > 0 || this.packed.length === 0) this.pack();
    return { bytes: this.bytes, sha256: this.hash.digest('hex'), gzip: this.packed };
  }

  private pack(): void {
    // A copy, because zlib returns a part of a larger buffer.
    this.packed.push(Uint8Array.from(gzipSync(Buffer.concat(this.part), FAST)));
    this.part = [];
    this.partBytes = 0;
  }
}
