import { fileURLToPath } from 'node:url';
import { extensions } from '../../src/extensions/index.js';
import { listedPackages } from '../../src/program/extensions/listed-packages.js';

const AT_ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = listedPackages().length > 0 ? 'extensions/documents/' : extensions.length > 0 ? 'src/extensions/documents/' : '';

/**
 * Where a generated file is. If there are extensions, it is below src/extensions/documents, or with packages below extensions/documents, so
 * that those of the product stay as they are: whoever takes its next version has no conflict in them.
 */
export const generated = (path: string): string => `${AT_ROOT}${FOLDER}${path}`;
