import { posix } from 'node:path';
import { JobFailure } from '../../../../kernel/failure.js';
import type { ZipEntry } from '../../../../kernel/zip-archive.js';
import { nodeOf, nodesAt, textAt, type XmlNode } from '../xml-node.js';
import { plainMarkup } from '../plain-markup.js';
import { type NumberFormat, numberFormatsOf } from './cell-number.js';

export const WORKBOOK_PATH = 'xl/workbook.xml';
/** The list of sheets and the styles are held in memory as a tree. */
const MAX_TREE_BYTES = 16 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;

export interface Workbook {
  readonly sheets: readonly ZipEntry[];
  readonly strings: ZipEntry | null;
  readonly formatOf: (style: number) => NumberFormat;
  /** Whether days are counted from 1904. */
  readonly is1904: boolean;
}

export async function readWorkbook(entries: readonly ZipEntry[]): Promise<Workbook> {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const treeAt = async (path: string): Promise<XmlNode | null> => {
    const entry = byPath.get(path);
    return entry ? readTree(entry) : null;
  };
  const [book, relations] = [await treeAt(WORKBOOK_PATH), await treeAt('xl/_rels/workbook.xml.rels')];
  if (book === null || relations === null) return invalid();
  const targets = nodesAt(relations, 'Relationships/Relationship').map((relation) => ({
    id: textAt(relation, '@Id'),
    type: textAt(relation, '@Type')?.replace(/^.*\//, ''),
    path: posix.resolve('/xl', textAt(relation, '@Target') ?? '').slice(1),
  }));
  const pathOf = (type: string): string | undefined => targets.find((target) => target.type === type)?.path;
  const sheets = nodesAt(book, 'workbook/sheets/sheet').flatMap((sheet) => {
    const target = targets.find(({ id }) => id !== null && id === textAt(sheet, '@id'));
    if (target && target.type !== 'worksheet') return [];
    return [byPath.get(target?.path ?? '') ?? invalid()];
  });
  const is1904 = /^(1|true)$/.test(textAt(book, 'workbook/workbookPr/@date1904') ?? '');
  const strings = byPath.get(pathOf('sharedStrings') ?? '') ?? null;
  return { sheets, strings, is1904, formatOf: numberFormatsOf(await treeAt(pathOf('styles') ?? '')) };
}

/** The text of a part, with plain tags. */
export const markupOf = (entry: ZipEntry): AsyncGenerator<string> => plainMarkup(piecesOf(entry));

// oxlint-disable-next-line typescript/require-await -- the readers of markup take what arrives over time
async function* piecesOf(entry: ZipEntry): AsyncGenerator<string> {
  const bytes = entry.content();
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const decoder = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8');
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
  yield decoder.decode();
}

async function readTree(entry: ZipEntry): Promise<XmlNode> {
  if (entry.size > MAX_TREE_BYTES)
    throw new JobFailure('entry_too_large', 'The workbook has a list of sheets or styles that is too large.');
  const pieces: string[] = [];
  for await (const piece of markupOf(entry)) pieces.push(piece);
  return nodeOf(pieces.join('')) ?? invalid();
}

function invalid(): never {
  throw new JobFailure('invalid_markup', 'The workbook is damaged: its list of sheets cannot be read.');
}

/** The longest element that is read, such as a row. */
const MAX_ELEMENT = 4 * 1024 * 1024;

export interface XmlElement {
  readonly attributes: string;
  readonly content: string;
}

/** All elements of this name, which never contains itself, as the markup arrives; in batches. */
export async function* elementsOf(pieces: AsyncIterable<string>, name: string): AsyncGenerator<readonly XmlElement[]> {
  let rest = '';
  for await (const piece of pieces) {
    const { elements, unfinished } = cut(rest + piece, name);
    rest = unfinished;
    if (rest.length > MAX_ELEMENT) throw new JobFailure('entry_too_large', 'The workbook has a row or text that is too large.');
    if (elements.length > 0) yield elements;
  }
  if (rest) throw new JobFailure('incomplete_file', 'The workbook is incomplete: a row or text has no end.');
}

export const elementsIn = (markup: string, name: string): readonly XmlElement[] => cut(markup, name).elements;

export function attributeOf({ attributes }: XmlElement, name: string): string | null {
  const [, , value] = new RegExp(`\\s${name}\\s*=\\s*(["'])(.*?)\\1`, 's').exec(attributes) ?? [];
  return value ?? null;
}

/** The elements, and an element at the end that is not closed. What is between elements is not needed. */
function cut(markup: string, name: string): { elements: XmlElement[]; unfinished: string } {
  const opening = new RegExp(`<(?:\\w+:)?${name}(\\s[^<>]*?)?(/?)>`, 'g');
  const closing = new RegExp(`</(?:\\w+:)?${name}\\s*>`, 'g');
  const elements: XmlElement[] = [];
  for (let open = opening.exec(markup); open; open = opening.exec(markup)) {
    const attributes = open[1] ?? '';
    if (open[2] === '/') {
      elements.push({ attributes, content: '' });
      continue;
    }
    closing.lastIndex = opening.lastIndex;
    const close = closing.exec(markup);
    if (!close) return { elements, unfinished: markup.slice(open.index) };
    elements.push({ attributes, content: markup.slice(opening.lastIndex, close.index) });
    opening.lastIndex = closing.lastIndex;
  }
  return { elements, unfinished: '' };
}
