import { chunksOf } from '../chunks.js';
import { ZipFile } from '../zip-file.js';

export interface Entry {
  readonly path: string;
  readonly texts: Iterable<string>;
}

/** The earliest time that ZIP knows. */
const MODIFIED = new Date(1980, 0, 1);

/** The parts of a workbook, written one after another. */
export async function archiveOf(entries: readonly Entry[], maxBytes: number): Promise<Buffer> {
  const file = new ZipFile({ maxBytes, modified: MODIFIED, level: 1 });
  for (const { path, texts } of entries) await file.add(path, chunksOf(texts));
  return file.whole();
}
