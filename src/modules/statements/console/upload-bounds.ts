import type { FileBounds } from '../../../api/console/read-files.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE } from '../formats/limits.js';

const MAX_FORM_MIB = 50;
export const UPLOAD_BOUNDS: FileBounds = { files: 20, fileBytes: MAX_FILE_BYTES, formBytes: MAX_FORM_MIB * 1024 * 1024 };
/** For the form. */
export const UPLOAD_HINT = `At most ${UPLOAD_BOUNDS.files} files at once, each up to ${MAX_FILE_SIZE}, ${MAX_FORM_MIB} MiB together.`;
