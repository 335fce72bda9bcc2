/** Meant for whoever sits at the terminal: the message is one line that says what is wrong and what to do. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s+/g, ' ').trim(), options);
  }
}

/** A full disk, a read-only folder, somebody else's file: the system's words, turned into something to act upon. */
export function asEmbeddedDatabaseError(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedDatabaseError || !isSystemError(error)) return error;
  const where = error.path ?? dataDir;
  return new EmbeddedDatabaseError(
    `The embedded database cannot use ${where} (${error.message}): ` +
      `make ${dataDir} writable for this user, with room on its disk, or set DATA_DIR to another folder.`,
    { cause: error },
  );
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
