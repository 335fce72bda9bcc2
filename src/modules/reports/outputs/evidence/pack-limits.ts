/** What is written can be verified: both sides have these limits. */
export const MOST_PACKED_FILES = 20_000;
/** Without the manifest. */
export const MOST_UNPACKED_BYTES = 2 ** 31;
export const MOST_MANIFEST_BYTES = 16 * 1024 * 1024;
