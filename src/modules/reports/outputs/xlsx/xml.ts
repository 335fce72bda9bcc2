export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Excel refuses to open a file with a longer cell. */
const MAX_CELL_LENGTH = 32_767;

/** Characters that XML cannot contain or would change are written like Excel does, as `_x0007_`; so is a text that looks like that. */
const needsEscape = /_(?=x[\dA-Fa-f]{4}_)|[\0-\x08\x0b-\x1f\ufffe\uffff&<>]/g;

/** A text without control characters, such as a formula or an attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);

const codeOf = (character: string): string => character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');

export const cellText = (text: string): string =>
  text.slice(0, MAX_CELL_LENGTH).replace(needsEscape, (character) => ENTITIES[character] ?? `_x${codeOf(character)}_`);
