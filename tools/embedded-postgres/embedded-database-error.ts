/** For the person at the terminal: the message is one line that says what is wrong and what to do. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s+/g, ' ').trim(), options);
  }
}

/** Turns a system error (full disk, read-only folder, file of another user) into a message that says what to do. */
export function toEmbeddedDatabaseError(error: unknown, dataDir: string): unknown {
  if (error instanceof EmbeddedDatabaseError || !isSystemError(error)) return error;
  const path = error.path ?? dataDir;
  return new EmbeddedDatabaseError(
    `The embedded database cannot use ${path} (${error.message}): ` +
      `make ${dataDir} writable for this user, with room on its disk, or set DATA_DIR to another folder.`,
    { cause: error },
  );
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
