/** The characters of the bytes 0x80 to 0x9F. Five of these bytes have none. */
const HIGH = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
const BYTES = new Map([...HIGH].map((character, index) => [character, 0x80 + index]));
BYTES.delete('\0');

const REPLACEMENT = '?'.charCodeAt(0);

/** A character that Windows-1252 does not have becomes a question mark. */
export function windows1252(text: string): Buffer {
  return Buffer.from(Array.from(text, byteOf));
}

function byteOf(character: string): number {
  const code = character.codePointAt(0)!;
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : (BYTES.get(character) ?? REPLACEMENT);
}
