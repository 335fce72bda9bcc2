import { create, type Font } from 'fontkit';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { embeddedFont } from './borrowed.js';

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

/**
 * Texts whose letters stand side by side: Latin, Greek, Cyrillic, Armenian, Georgian, figures, punctuation and symbols, but no
 * combining marks.
 */
const SIMPLE = /^[\0-\u02ff\u0370-\u0482\u048a-\u058f\u10a0-\u10ff\u1e00-\u200a\u2010-\u205f\u20a0-\u20bf\u2100-\u2bff\ufffd]*$/;

interface Glyph {
  readonly hex: string;
  /** In thousandths of the size of the font. */
  readonly width: number;
}

/**
 * Measures and writes texts of simple letters one by one, each looked up once. That takes a fraction of the time and memory of
 * pdfkit, which lays out every word. Other scripts are left to pdfkit.
 */
export class Glyphs {
  private readonly known = new Map<string, Glyph>();

  constructor(
    private readonly document: PDFKit.PDFDocument,
    private readonly path: string,
  ) {}

  static load(document: PDFKit.PDFDocument): Record<keyof typeof FONTS, Glyphs> {
    return { regular: new Glyphs(document, FONTS.regular), bold: new Glyphs(document, FONTS.bold) };
  }

  widthOf(text: string, size: number): number {
    if (!SIMPLE.test(text)) return this.document.font(this.path).fontSize(size).widthOfString(text);
    let width = 0;
    for (const character of text) width += this.glyphOf(character).width;
    return (width * size) / 1000;
  }

  /** Draws a line whose top is at `y`. `colour` is a hex code. */
  draw(text: string, x: number, y: number, size: number, colour: string): void {
    if (text === '') return;
    if (!SIMPLE.test(text)) {
      this.document.font(this.path).fontSize(size).fillColor(colour).text(text, x, y, { lineBreak: false });
      return;
    }
    const { id, ascender } = embeddedFont(this.document, this.path);
    const hex = Array.from(text, (character) => this.glyphOf(character).hex).join('');
    const baseline = y + (ascender * size) / 1000;
    this.document.addContent(`BT\n${rgbOf(colour)} rg\n/${id} ${size} Tf\n1 0 0 -1 ${short(x)} ${short(baseline)} Tm\n<${hex}> Tj\nET`);
  }

  private glyphOf(character: string): Glyph {
    let glyph = this.known.get(character);
    if (!glyph) {
      const [[hex], [position]] = embeddedFont(this.document, this.path).encode(character);
      glyph = { hex: hex!, width: position!.advanceWidth };
      this.known.set(character, glyph);
    }
    return glyph;
  }
}

const COMPONENTS = new Map<string, string>();

export function rgbOf(colour: string): string {
  let written = COMPONENTS.get(colour);
  if (written === undefined) {
    written = [1, 3, 5].map((at) => short(parseInt(colour.slice(at, at + 2), 16) / 255)).join(' ');
    COMPONENTS.set(colour, written);
  }
  return written;
}

export const short = (value: number): string => String(Math.round(value * 1000) / 1000);
