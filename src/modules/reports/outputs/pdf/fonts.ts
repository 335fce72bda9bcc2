import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

const require = createRequire(import.meta.url);

/** PDF's built-in fonts only have Western European letters. DejaVu also has Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian. */
export const FONTS = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};

const MISSING = '\ufffd';

/** Returns a function that replaces characters without a glyph by a visible mark, so that no text is shown wrong silently. */
export function glyphReplacer(): (text: string) => string {
  const fonts = Object.values(FONTS).map((path) => create(readFileSync(path)) as Font);
  const isDrawn = (character: string) => fonts.every((font) => font.hasGlyphForCodePoint(character.codePointAt(0)!));
  return (text) =>
    text
      .normalize('NFC')
      .replace(/\p{Cf}/gu, '')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .replace(/[^ -~]/gu, (character) => (isDrawn(character) ? character : MISSING));
}
