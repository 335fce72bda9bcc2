import type { Readable } from 'node:stream';

/** A file as a store gets it: encrypted already. */
export interface FileToStore {
  readonly bytes: number;
  /** The SHA-256 of these bytes in hex, for stores that sign or check what is sent. */
  readonly sha256: string;
  /** The bytes, from the beginning with each call. */
  read(): Readable;
}

/**
 * A port: keeps imported files and files of reports outside of Postgres. A key is `organization/environment/kind/id`; it is used once, so
 * what is under it never changes. What a call throws is not shown: callers get 503, and jobs try again.
 */
export abstract class FileStore {
  /** Whether new files are put there. If not, Postgres keeps them, and the store is asked for what it has. */
  abstract readonly takesNewFiles: boolean;
  /** Resolves when the file is safe. */
  abstract put(key: string, file: FileToStore, signal: AbortSignal): Promise<void>;
  /** The bytes of a file, read as they are asked for. Undefined if there is no file of that key. */
  abstract open(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Resolves also if there is no file of that key. */
  abstract remove(key: string, signal: AbortSignal): Promise<void>;
}
