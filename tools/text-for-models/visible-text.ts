/** Characters that people do not see and models read: directions, joiners, fillers, tags, selectors. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u{fff9}-\u{fffb}]/u;
/** Those that texts need: joiners, one selector after a character, the tags of a flag. Several in a row say something not to be seen. */
const NEEDED = new RegExp(
  [
    // The first character of a file says how it is encoded.
    '^\\ufeff',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{L}\\p{M}*)[\\u200c\\u200d](?=\\p{L})',
    '(?<=[^\\s\\p{Default_Ignorable_Code_Point}])[\\ufe00-\\ufe0f](?![\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}])',
    '(?<=\\u{1f3f4})[\\u{e0061}-\\u{e007a}\\u{e0030}-\\u{e0039}]{2,6}\\u{e007f}',
  ].join('|'),
  'gu',
);
const EACH = new RegExp(INVISIBLE, 'gu');

/** A text in which each character that is not seen is named: `[U+202E]`. */
export function visibleText(text: string): string {
  if (!INVISIBLE.test(text)) return text;
  let shown = '';
  let from = 0;
  for (const { index, 0: needed } of text.matchAll(NEEDED)) {
    shown += text.slice(from, index).replace(EACH, named) + needed;
    from = index + needed.length;
  }
  return shown + text.slice(from).replace(EACH, named);
}

const named = (character: string): string => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;

/** What a model is given, with all of its texts visible. Values are unchanged if they have nothing invisible. */
export function visible<T>(value: T): T {
  if (typeof value === 'string') return visibleText(value) as T;
  if (Array.isArray(value)) return value.map(visible) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visibleText(name), visible(inner)])) as T;
}
