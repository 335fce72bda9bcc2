/** Limits of the files that can be read. */
const MAX_FILE_MIB = 20;
export const MAX_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024;
/** For messages. */
export const MAX_FILE_SIZE = `${MAX_FILE_MIB} MiB`;
/** What the files of an archive may have together when they are unpacked. */
export const MAX_UNPACKED_BYTES = 5 * MAX_FILE_BYTES;
export const MAX_LINES = 200_000;
export const MAX_WARNINGS = 20;
