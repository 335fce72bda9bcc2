import { chunksOf } from '../chunks.js';
import type { FileSink } from '../output-file.js';
import { ZipFile } from '../zip-file.js';

export interface Entry {
  readonly path: string;
  readonly texts: Iterable<string>;
}

/** The earliest time that ZIP knows. */
const MODIFIED = new Date(1980, 0, 1);

/** The parts of a workbook, written one after another. */
export async function writeArchive(entries: readonly Entry[], file: FileSink): Promise<void> {
  const zip = new ZipFile(file, { modified: MODIFIED, level: 1 });
  for (const { path, texts } of entries) {
    const entry = zip.entry(path);
    for await (const chunk of chunksOf(texts)) entry.add(chunk);
    entry.end();
  }
  zip.end();
}
