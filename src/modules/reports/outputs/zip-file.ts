import { Zip, ZipDeflate } from 'fflate';
import type { FileSink } from './report.js';

/** A file in a ZIP. It ends before the next one begins. */
export interface ZipEntry extends FileSink {
  end(): void;
}

/** A ZIP file, compressed while it is written. fflate compresses to the same bytes on every machine. */
export class ZipFile {
  private readonly archive: Zip;

  /** ZIP has local times, so the bytes only depend on no time zone if `modified` is made from parts of a local time. */
  constructor(
    to: FileSink,
    private readonly options: { readonly modified: Date; readonly level: 1 | 6 },
  ) {
    this.archive = new Zip((error, chunk) => {
      if (error) throw error;
      to.add(chunk);
    });
  }

  entry(path: string): ZipEntry {
    const file = new ZipDeflate(path, { level: this.options.level });
    file.mtime = this.options.modified;
    this.archive.add(file);
    return { add: (chunk) => file.push(chunk), end: () => file.push(new Uint8Array(), true) };
  }

  end(): void {
    this.archive.end();
  }
}
