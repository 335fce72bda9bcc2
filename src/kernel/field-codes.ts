import type codes from '../../codes/field-codes.json';
import { packageJson } from './package-folder.js';

/** The codes of `errors` in a problem document; documents show the sentences. A code never changes its meaning; new ones are added. */
export const FIELD_CODES = packageJson<typeof codes>('codes/field-codes.json');

export type FieldCode = keyof typeof codes;
