import { Zip, ZipDeflate } from 'fflate';
import { FileBytes } from './chunks.js';

interface ZipFileOptions {
  readonly maxBytes: number;
  /** ZIP has local times, so the bytes only depend on no time zone if this is made from parts of a local time. */
  readonly modified: Date;
  readonly level: 1 | 6;
}

/** A ZIP file, compressed while it is written. fflate compresses to the same bytes on every machine. */
export class ZipFile {
  private readonly bytes: FileBytes;
  private readonly archive: Zip;

  constructor(private readonly options: ZipFileOptions) {
    this.bytes = new FileBytes(options.maxBytes);
    this.archive = new Zip((error, chunk) => {
      if (error) throw error;
      this.bytes.add(chunk);
    });
  }

  async add(path: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const file = new ZipDeflate(path, { level: this.options.level });
    file.mtime = this.options.modified;
    this.archive.add(file);
    for await (const chunk of chunks) file.push(chunk);
    file.push(new Uint8Array(), true);
  }

  /** The file, to which nothing can be added any more. */
  whole(): Buffer {
    this.archive.end();
    return this.bytes.whole();
  }
}
