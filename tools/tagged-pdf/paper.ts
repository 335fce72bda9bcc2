import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { compressContent, escapeTitleInXml, joinContent } from './borrowed.js';
import { FONTS, glyphReplacer, Glyphs, rgbOf, short } from './glyphs.js';

export const COLOURS = { ink: '#1f2933', quiet: '#52606d', line: '#cbd2d9', shade: '#eef2f6', accent: '#2f6690', negative: '#b4612e' };

export interface TextStyle {
  readonly x?: number;
  readonly width?: number;
  readonly size?: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly align?: 'left' | 'right' | 'center';
}

export interface FileSink {
  add(chunk: Uint8Array): void;
}

export interface PaperOptions {
  readonly title: string;
  readonly language: string;
  readonly size: keyof typeof SIZES;
  readonly isLandscape?: boolean;
  readonly createdAt: Date;
  readonly file: FileSink;
}

/** What stands above and below every page but the first. */
export interface RunningTexts {
  readonly above: readonly [string, string];
  readonly below: (page: number, count: number) => readonly [string, string];
}

type Element = PDFKit.PDFStructureElement;
/** With what pdfkit has, and its types lack. */
interface ElementOptions extends PDFKit.Mixins.StructureElementOptions {
  readonly scope?: 'Row' | 'Column';
  readonly bbox?: readonly [number, number, number, number];
}
/** A text, or several that begin on a new line each. */
export type Texts = string | readonly string[];

const SIZES = { a4: 'A4', letter: 'LETTER' };
const MARGIN = 48;
const BELOW = 30;
const RULE = 0.5;
/** Leaves the rule of the row before visible, also where a screen draws it a pixel wide. */
const SHADE_GAP = 1;
const SHADE_MARGIN = 5;
const SHADE_EDGE = 2;
const RUNNING: TextStyle = { size: 6.5, colour: COLOURS.quiet };
export const LINE_HEIGHT = 1.3;

/** Pages that are written from top to bottom, with the structure that screen readers use. Texts are broken and positioned here. */
export class Paper {
  readonly document: PDFKit.PDFDocument;
  readonly left = MARGIN;
  readonly top = MARGIN;
  readonly width: number;
  readonly bottom: number;
  /** Where the page is continued. */
  y = MARGIN;
  private readonly drawable = glyphReplacer();
  private readonly parents: Element[];
  private readonly file: FileSink;
  private failure?: Error;
  private readonly glyphs: ReturnType<typeof Glyphs.load>;

  constructor({ title, language, size, isLandscape = false, createdAt, file }: PaperOptions) {
    // Pages are compressed by `compressContent`.
    this.document = new PDFDocument({
      size: SIZES[size],
      layout: isLandscape ? 'landscape' : 'portrait',
      margin: 0,
      compress: false,
      bufferPages: true,
      font: FONTS.regular,
      lang: language,
      displayTitle: true,
      tagged: true,
      pdfVersion: '1.7',
      subset: 'PDF/A-2b',
      info: { Title: this.drawable(title), CreationDate: createdAt },
    });
    escapeTitleInXml(this.document);
    this.glyphs = Glyphs.load(this.document);
    this.file = file;
    this.document.on('data', (chunk: Buffer) => this.keep(chunk));
    this.width = this.document.page.width - 2 * MARGIN;
    this.bottom = this.document.page.height - MARGIN - BELOW;
    const root = this.document.struct('Document');
    this.document.addStructure(root);
    this.parents = [root];
  }

  /** From the next turn on, what is complete leaves pdfkit's memory. To be awaited before a page is written. */
  async open(): Promise<void> {
    await nextTurn();
  }

  get pageHeight(): number {
    return this.bottom - MARGIN;
  }

  nextPage(): void {
    this.requireKept();
    joinContent(this.document.page);
    this.document.addPage();
    this.y = MARGIN;
  }

  /** Starts a page unless a block of this height still fits. */
  needRoom(height: number): void {
    if (this.y + height > this.bottom && this.y > MARGIN) this.nextPage();
  }

  /** All that is drawn by `work` belongs to an element of the structure. */
  inside(type: string, work: (element: Element) => void, options: ElementOptions = {}): void {
    const element = this.document.struct(type, options);
    this.parents.at(-1)!.add(element);
    this.parents.push(element);
    work(element);
    this.parents.pop();
    element.end();
  }

  mark(draw: () => void): void {
    this.parents.at(-1)!.add(draw);
  }

  /** Draws what has no meaning, such as lines. */
  decorate(draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
    this.document.markContent('Artifact', { type });
    draw();
    this.document.endMarkedContent();
  }

  widthOf(text: string, style: TextStyle): number {
    return this.glyphsOf(style).widthOf(this.drawable(text), style.size ?? SIZE);
  }

  linesOf(texts: Texts, style: TextStyle): string[] {
    const glyphs = this.glyphsOf(style);
    const { width = this.width, size = SIZE } = style;
    return [texts].flat().flatMap((text) => linesOf(this.drawable(text), width, (part) => glyphs.widthOf(part, size)));
  }

  /** Draws lines of text from `y` on, without moving on. */
  drawLines(lines: readonly string[], y: number, style: TextStyle): void {
    const { x = this.left, width = this.width, align = 'left', colour = COLOURS.ink, size = SIZE } = style;
    const glyphs = this.glyphsOf(style);
    lines.forEach((line, index) => {
      const room = align === 'left' ? 0 : width - glyphs.widthOf(line, size);
      glyphs.draw(line, x + (align === 'center' ? room / 2 : room), y + index * size * LINE_HEIGHT, size, colour);
    });
  }

  draw(text: string, y: number, style: TextStyle): void {
    this.drawLines(this.linesOf(text, style), y, style);
  }

  /** How much of a paragraph stays on one page: all of a short one. */
  keptHeight(text: string, style: TextStyle): number {
    return Math.min(KEPT_LINES, this.linesOf(text, style).length) * (style.size ?? SIZE) * LINE_HEIGHT;
  }

  /** Writes a paragraph and moves on. A paragraph may go on on the next page. */
  write(type: string, text: string, style: TextStyle, gap: number): void {
    const height = (style.size ?? SIZE) * LINE_HEIGHT;
    const lines = this.linesOf(text, style);
    this.needRoom(this.keptHeight(text, style));
    this.inside(type, () => {
      while (lines.length > 0) {
        this.needRoom(height);
        const fitting = lines.splice(0, Math.max(1, Math.floor((this.bottom - this.y) / height)));
        this.mark(() => this.drawLines(fitting, this.y, style));
        this.y += fitting.length * height;
      }
    });
    this.y += gap;
  }

  rule(y: number, colour: string, thickness = RULE): void {
    this.decorate(() => this.drawRule(y, colour, thickness));
  }

  shade(y: number, height: number): void {
    const [left, width] = [this.left - SHADE_MARGIN, this.width + 2 * SHADE_MARGIN];
    this.decorate(() => {
      this.drawBox({ x: left, y: y + SHADE_GAP, width, height: height - SHADE_GAP }, COLOURS.shade);
      this.drawBox({ x: left, y: y + SHADE_GAP, width: SHADE_EDGE, height: height - SHADE_GAP }, COLOURS.accent);
    });
  }

  drawRule(y: number, colour: string, thickness = RULE, { x, width } = { x: this.left, width: this.width }): void {
    this.document.addContent(`${rgbOf(colour)} RG
${thickness} w
${short(x)} ${short(y)} m
${short(x + width)} ${short(y)} l
S`);
  }

  async finish({ above, below }: RunningTexts): Promise<void> {
    const { count } = this.document.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.document.switchToPage(page);
      if (page > 0) this.drawRunning(above, MARGIN - 22);
      this.drawRunning(below(page + 1, count), this.document.page.height - MARGIN - 2);
      compressContent(this.document.page);
    }
    const ended = once(this.document, 'end');
    this.document.end();
    await ended;
    this.requireKept();
  }

  private drawBox({ x, y, width, height }: { x: number; y: number; width: number; height: number }, colour: string): void {
    this.document.addContent(`${rgbOf(colour)} rg\n${[x, y, width, height].map(short).join(' ')} re\nf`);
  }

  private drawRunning([left, right]: readonly [string, string], y: number): void {
    this.decorate(() => {
      this.draw(left, y, RUNNING);
      this.draw(right, y, { ...RUNNING, align: 'right' });
    }, 'Pagination');
  }

  /** An error that a stream's listener throws may end the whole process, so it waits for the next page. */
  private keep(chunk: Buffer): void {
    if (this.failure !== undefined) return;
    try {
      this.file.add(chunk);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  private requireKept(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  private glyphsOf({ bold = false }: TextStyle): Glyphs {
    return bold ? this.glyphs.bold : this.glyphs.regular;
  }
}

const SIZE = 8;
const KEPT_LINES = 6;

/** The lines in which a text fits into a width. Breaks at blanks, and within a word that is wider than a line. */
export function linesOf(text: string, width: number, widthOf: (part: string) => number): string[] {
  const blank = widthOf(' ');
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const word of text.split(' ')) {
    const needed = widthOf(word);
    if (line === '' && needed <= width) [line, used] = [word, needed];
    else if (line !== '' && used + blank + needed <= width) [line, used] = [`${line} ${word}`, used + blank + needed];
    else {
      if (line !== '') lines.push(line);
      const parts = needed <= width ? [word] : partsOf(word, width, widthOf);
      lines.push(...parts.slice(0, -1));
      line = parts.at(-1)!;
      used = widthOf(line);
    }
  }
  return [...lines, line];
}

function partsOf(word: string, width: number, widthOf: (part: string) => number): string[] {
  const parts: string[] = [];
  let [part, used] = ['', 0];
  for (const character of word) {
    const needed = widthOf(character);
    if (part !== '' && used + needed > width) {
      parts.push(part);
      [part, used] = ['', 0];
    }
    part += character;
    used += needed;
  }
  return [...parts, part];
}
