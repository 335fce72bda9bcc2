import type { Extension } from '../extension-api.js';

/** The one list of extensions: docs/extending.md. The product itself has none, so its next version changes nothing in this folder. */
export const extensions: readonly Extension[] = [];
