export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Excel refuses to open a file with a longer cell. */
const LONGEST_CELL = 32_767;

/** What XML cannot hold, or would read back as something else, is written as Excel does it: `_x0007_`; what only looks like that, too. */
const needsEscape = /_(?=x[\dA-Fa-f]{4}_)|[\0-\x08\x0b-\x1f\ufffe\uffff&<>]/g;

export function cellText(text: string): string {
  return text
    .slice(0, LONGEST_CELL)
    .replace(
      needsEscape,
      (character) => ENTITIES[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}
