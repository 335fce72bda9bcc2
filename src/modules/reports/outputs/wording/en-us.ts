import { ENGLISH } from './en-gb.js';
import type { Words } from './words.js';

export const AMERICAN: Words = { ...ENGLISH, fields: { ...ENGLISH.fields, organization: 'Organization' } };
