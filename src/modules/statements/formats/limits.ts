/** Limits of the files that can be read. */
const MAX_FILE_MIB = 20;
export const MAX_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024;
/** For messages. */
export const MAX_FILE_SIZE = `${MAX_FILE_MIB} MiB`;
export const MAX_LINES = 200_000;
export const MAX_WARNINGS = 20;
