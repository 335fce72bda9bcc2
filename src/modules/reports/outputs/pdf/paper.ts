import PDFDocument from 'pdfkit';
import { FileBytes } from '../chunks.js';
import { FONTS, glyphReplacer } from './fonts.js';

export const COLOURS = { ink: '#1f2933', quiet: '#616e7c', line: '#d9dfe5', accent: '#2f6690', negative: '#b4612e' };

export interface TextStyle {
  readonly x?: number;
  readonly width?: number;
  readonly size?: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly align?: 'left' | 'right' | 'center';
}

const MARGIN = 48;
const FOOTER_HEIGHT = 30;
/** PDF documents contain their time of creation. A fixed one keeps the bytes the same. */
const NO_TIME = new Date(0);

/** A4 pages, written from top to bottom. Everything is positioned here, so the document itself has no margins. */
export class Paper {
  readonly document: PDFKit.PDFDocument;
  readonly left = MARGIN;
  readonly width: number;
  /** Where the page is continued. */
  y = MARGIN;
  private readonly drawable = glyphReplacer();

  constructor(title: string) {
    // Not compressed: zlib's output differs between processors.
    this.document = new PDFDocument({
      size: 'A4',
      margin: 0,
      compress: false,
      bufferPages: true,
      lang: 'en',
      displayTitle: true,
      info: { Title: title, CreationDate: NO_TIME },
    });
    this.width = this.document.page.width - 2 * MARGIN;
  }

  /** Whether a block of this height still fits on the page. */
  hasRoom(height: number): boolean {
    return this.y + height <= this.document.page.height - MARGIN - FOOTER_HEIGHT;
  }

  nextPage(): void {
    this.document.addPage();
    this.y = MARGIN;
  }

  needRoom(height: number): void {
    if (!this.hasRoom(height)) this.nextPage();
  }

  widthOf(text: string, style: TextStyle): number {
    return this.styled(style).widthOfString(this.drawable(text));
  }

  heightOf(text: string, style: TextStyle): number {
    return this.styled(style).heightOfString(this.drawable(text), { width: style.width ?? this.width });
  }

  /** Draws a text without changing `y`. */
  draw(text: string, y: number, style: TextStyle): void {
    const { x = this.left, width = this.width, align = 'left', colour = COLOURS.ink } = style;
    this.styled(style).fillColor(colour).text(this.drawable(text), x, y, { width, align });
  }

  /** Draws a paragraph and continues below it. */
  write(text: string, style: TextStyle, gap: number): void {
    const height = this.heightOf(text, style);
    this.needRoom(height);
    this.draw(text, this.y, style);
    this.y += height + gap;
  }

  rule(y: number, colour: string, thickness = 0.5): void {
    this.document
      .moveTo(this.left, y)
      .lineTo(this.left + this.width, y)
      .lineWidth(thickness)
      .strokeColor(colour)
      .stroke();
  }

  /** Adds a footer to each page and returns the document. */
  async finish(footer: string, maxBytes: number): Promise<Buffer> {
    const { count } = this.document.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.document.switchToPage(page);
      const y = this.document.page.height - MARGIN - 8;
      this.rule(y - 8, COLOURS.line);
      this.draw(footer, y, { size: 6.5, colour: COLOURS.quiet });
      this.draw(`Page ${page + 1} of ${count}`, y, { size: 6.5, colour: COLOURS.quiet, align: 'right' });
    }
    this.document.end();
    const bytes = new FileBytes(maxBytes);
    for await (const chunk of this.document) bytes.add(chunk as Buffer);
    return bytes.whole();
  }

  private styled({ size = 8, bold = false }: TextStyle): PDFKit.PDFDocument {
    return this.document.font(bold ? FONTS.bold : FONTS.regular).fontSize(size);
  }
}
