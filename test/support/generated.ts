import { fileURLToPath } from 'node:url';
import { extensions } from '../../src/extensions/index.js';

const AT_ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OF_EXTENSIONS = 'src/extensions/documents/';

/**
 * Where a generated file is. If there are extensions, it is below src/extensions/documents, so that those of the product stay as they
 * are: whoever takes its next version has no conflict in them.
 */
export const generated = (path: string): string => `${AT_ROOT}${extensions.length > 0 ? OF_EXTENSIONS : ''}${path}`;
