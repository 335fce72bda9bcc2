import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { UnreadableFile } from '../unreadable-file.js';
import { withSmallStreams } from './stream-sizes.js';

/** Loaded only when a PDF is read: it takes a tenth of a second, and some megabytes. */
const loadPdfjs = () => import('unpdf/pdfjs');

/** Texts that stand close together, with their left and right edge. */
export interface PdfCell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

export interface PdfRow {
  readonly page: number;
  /** From the top of the page, from 1. */
  readonly number: number;
  readonly top: number;
  /** Of its letters. */
  readonly height: number;
  readonly cells: readonly PdfCell[];
}

export const placeOf = ({ page, number }: PdfRow): string => `Page ${page}, row ${number}`;

const MAX_PAGES = 500;
const MAX_TEXTS_ON_PAGE = 20_000;
/** Gaps between texts, in heights of their letters: smaller ones are within a word, larger ones between columns. */
const WITHIN_WORD = 0.15;
const BETWEEN_COLUMNS = 1.2;
/** Texts belong to one row if their heights differ by less than this part of a letter. */
const SAME_ROW = 0.45;

/** The rows of all pages. Fails if the file is too large when it is unpacked, encrypted, damaged or a scan. */
export async function readPdfRows(file: Buffer): Promise<readonly PdfRow[]> {
  const data = withSmallStreams(file);
  const { getDocument } = await loadPdfjs();
  const task = getDocument({ data, verbosity: 0, disableFontFace: true, useSystemFonts: false, stopAtErrors: true });
  try {
    return await readRows(await task.promise);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : failureOf(error);
  } finally {
    await task.destroy().catch(() => undefined);
  }
}

function failureOf(error: unknown): UnreadableFile {
  if ((error as Error | undefined)?.name === 'PasswordException')
    return new UnreadableFile('pdf_encrypted', 'The PDF is encrypted. Save it without a password and import it again.');
  return new UnreadableFile('invalid_pdf', 'The PDF is damaged or incomplete.');
}

async function readRows(document: PDFDocumentProxy): Promise<readonly PdfRow[]> {
  if (document.numPages > MAX_PAGES) throw new UnreadableFile('too_many_lines', `The PDF has more than ${MAX_PAGES} pages.`);
  const rows: PdfRow[] = [];
  for (let page = 1; page <= document.numPages; page += 1) rows.push(...rowsOfTexts(await readTexts(document, page), page));
  if (rows.length === 0)
    throw new UnreadableFile(
      'pdf_is_scan',
      'The PDF is a scan: it has pictures of pages and no text. Get the statement from the bank as a text PDF, or as CSV.',
    );
  return rows;
}

type PlacedText = PdfCell & Pick<PdfRow, 'top' | 'height'>;
type Transform = [a: number, b: number, c: number, d: number, left: number, top: number];

/** Only texts that run from left to right; others are notes in the margin. */
async function readTexts(document: PDFDocumentProxy, number: number): Promise<readonly PlacedText[]> {
  const { Util } = await loadPdfjs();
  const page = await document.getPage(number);
  const { transform } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  page.cleanup();
  if (items.length > MAX_TEXTS_ON_PAGE) throw new UnreadableFile('entry_too_large', `Page ${number} of the PDF has too many texts.`);
  return items.flatMap((item) => {
    if (!('str' in item) || !item.str.trim()) return [];
    const [a, b, , d, left, top] = Util.transform(transform, item.transform as number[]) as Transform;
    const height = Math.abs(d);
    return a > 0 && Math.abs(b) < a / 10 && height > 1 ? [{ text: item.str.trim(), left, right: left + item.width, top, height }] : [];
  });
}

function rowsOfTexts(texts: readonly PlacedText[], page: number): PdfRow[] {
  const rows: PlacedText[][] = [];
  for (const text of [...texts].sort((one, other) => one.top - other.top)) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row && last && text.top - last.top <= SAME_ROW * Math.min(text.height, last.height)) row.push(text);
    else rows.push([text]);
  }
  return rows.map((row, index) => ({
    page,
    number: index + 1,
    top: row[0]!.top,
    height: Math.max(...row.map(({ height }) => height)),
    cells: cellsOf(row),
  }));
}

function cellsOf(row: readonly PlacedText[]): PdfCell[] {
  const cells: PdfCell[] = [];
  for (const { text, left, right, height } of [...row].sort((one, other) => one.left - other.left)) {
    const last = cells.at(-1);
    const gap = last ? (left - last.right) / height : BETWEEN_COLUMNS;
    if (!last || gap >= BETWEEN_COLUMNS) cells.push({ text, left, right });
    else cells[cells.length - 1] = { text: `${last.text}${gap < WITHIN_WORD ? '' : ' '}${text}`, left: last.left, right };
  }
  return cells;
}
