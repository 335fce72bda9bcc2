const MAX_FILE_MIB = 20;
export const MAX_FILE_BYTES = MAX_FILE_MIB * 1024 * 1024;
export const MAX_FILE_SIZE = `${MAX_FILE_MIB} MiB`;
/** What a file may be when it is unpacked: the files of an archive together, the parts of a workbook, the streams of a PDF. */
export const MAX_UNPACKED_BYTES = 5 * MAX_FILE_BYTES;
export const MAX_UNPACKED_SIZE = `${5 * MAX_FILE_MIB} MiB`;
