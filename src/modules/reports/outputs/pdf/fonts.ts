import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

const require = createRequire(import.meta.url);

/** The fonts that PDF has built in know Western European letters only; DejaVu knows Latin, Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian ones. */
export const FONTS = {
  regular: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};

const MISSING = '\ufffd';

/** Makes a text one that can be drawn: what the fonts have no glyph for is seen to be missing, and nothing is taken for something else. */
export function openGlyphs(): (text: string) => string {
  const fonts = Object.values(FONTS).map((path) => create(readFileSync(path)) as Font);
  const isDrawn = (character: string) => fonts.every((font) => font.hasGlyphForCodePoint(character.codePointAt(0)!));
  return (text) =>
    text
      .normalize('NFC')
      .replace(/\p{Cf}/gu, '')
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .replace(/[^ -~]/gu, (character) => (isDrawn(character) ? character : MISSING));
}
