import { Zip, ZipDeflate } from 'fflate';
import { chunksOf } from '../chunks.js';
import type { FileSink } from '../output-file.js';

export interface Entry {
  readonly path: string;
  readonly texts: Iterable<string>;
}

/** The earliest time that ZIP knows, in local time as ZIP uses it, so the bytes depend on neither clock nor time zone. */
const MODIFIED = new Date(1980, 0, 1);

/** Writes a ZIP file, compressed as it goes. fflate compresses to the same bytes on every machine. */
export async function writeArchive(entries: readonly Entry[], to: FileSink): Promise<void> {
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    to.add(chunk);
  });
  for (const { path, texts } of entries) {
    const file = new ZipDeflate(path, { level: 1 });
    file.mtime = MODIFIED;
    archive.add(file);
    for await (const chunk of chunksOf(texts)) file.push(chunk);
    file.push(new Uint8Array(), true);
  }
  archive.end();
}
