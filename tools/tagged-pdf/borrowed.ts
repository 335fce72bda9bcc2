import { zlibSync } from 'fflate';

/** What is used here of pdfkit that it does not document. */
interface Inside {
  endMetadata(): void;
  readonly info: { Title?: string };
}
type Element = PDFKit.PDFStructureElement;

/** pdfkit writes the title into its XML as it is, so a title with `&` or `<` would break the metadata. */
export function escapeTitleInXml(document: PDFKit.PDFDocument): void {
  const inside = document as unknown as Inside;
  const endMetadata = inside.endMetadata.bind(document);
  inside.endMetadata = () => {
    // The other place that has the title is written before this.
    inside.info.Title = inside.info.Title!.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    endMetadata();
  };
}

interface EmbeddedFont {
  readonly id: string;
  readonly ascender: number;
  /** Glyphs as the document writes them, and their widths. */
  encode(text: string): [string[], { readonly advanceWidth: number }[]];
  ref(): unknown;
}

/** The font of the document and of its current page. */
export function embeddedFont(document: PDFKit.PDFDocument, path: string): EmbeddedFont {
  const inside = document.font(path) as unknown as { _font: EmbeddedFont; page: { fonts: Record<string, unknown> } };
  inside.page.fonts[inside._font.id] ??= inside._font.ref();
  return inside._font;
}

/** A page is held as one small piece for each of its operators, which takes many times the memory of the page. */
export function joinContent(page: PDFKit.PDFPage): void {
  const content = contentOf(page);
  content.buffer = [Buffer.concat(content.buffer)];
}

/** To be called when nothing more is drawn on a page. By fflate, because the output of Node's zlib differs between processors. */
export function compressContent(page: PDFKit.PDFPage): void {
  const content = contentOf(page);
  content.buffer = [zlibSync(Buffer.concat(content.buffer), { level: 4 })];
  content.data.Filter = 'FlateDecode';
}

const contentOf = (page: PDFKit.PDFPage) => (page as unknown as { content: { buffer: Uint8Array[]; data: { Filter?: string } } }).content;

/** Says that a cell of a table takes the place of several. */
export function spanColumns(element: Element, columns: number): void {
  const { data } = (element as unknown as { dictionary: { data: { A?: object } } }).dictionary;
  data.A = { ...data.A, O: 'Table', ColSpan: columns };
}
