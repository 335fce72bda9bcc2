import type { FileOf } from './stored-files.js';

/** A port: says how files of one kind are exported. An export has the same rows, whether a file is in Postgres or in a store. */
export abstract class FileOwner {
  /** The kind of the files, which is the name of the table. */
  abstract readonly kind: string;
  /** The columns that name the file. The tenant, the number of the part and its content are added. */
  abstract rowOf(file: FileOf): object;
}
