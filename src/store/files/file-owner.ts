import type { FileOf } from './stored-files.js';

/** A port: whoever has files says how they are exported, wherever they are: as rows of the table that has them in Postgres. */
export abstract class FileOwner {
  /** The kind of the files, which is the name of the table. */
  abstract readonly kind: string;
  /** The columns that name the file. The tenant, the number of the part and its content are added. */
  abstract rowOf(file: FileOf): object;
}
