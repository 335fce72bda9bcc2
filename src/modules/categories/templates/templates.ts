import { GENERAL } from './general.js';
import { GRANTS } from './grants.js';
import type { CategoryTemplate } from './template.js';

export const TEMPLATES: readonly CategoryTemplate[] = [...GENERAL, ...GRANTS];
