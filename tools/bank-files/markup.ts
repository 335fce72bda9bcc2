import { XMLParser } from 'fast-xml-parser';
import { UnreadableFile } from './unreadable-file.js';

/** The longest tag, comment or CDATA section that is read. */
const MAX_CONSTRUCT_LENGTH = 1024 * 1024;
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>', '<?': '?>' };

/**
 * Simplifies XML or SGML so that a reader can look for tags piece by piece: removes comments and processing instructions, turns
 * CDATA into ordinary text, rejects document type definitions, and never ends a piece within a tag.
 */
export async function* plainMarkup(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const markup = rest + text;
    const { plain, end } = simplified(markup);
    rest = markup.slice(end);
    if (rest.length > MAX_CONSTRUCT_LENGTH)
      throw new UnreadableFile('invalid_markup', 'The file has a tag, comment or CDATA section that is not closed.');
    if (plain) yield plain;
  }
  // An unfinished tag is passed on as text. The reader notices that closing tags are missing.
  if (rest) yield rest;
}

function simplified(markup: string): { plain: string; end: number } {
  const constructs = /<!--|<!\[CDATA\[|<\?|<!(?=[A-Za-z])/g;
  let plain = '';
  let end = 0;
  for (let found = constructs.exec(markup); found; found = constructs.exec(markup)) {
    const closing = ENDS[found[0]];
    if (!closing) throw dtdNotAllowed();
    plain += markup.slice(end, found.index);
    const close = markup.indexOf(closing, constructs.lastIndex);
    if (close < 0) return { plain, end: found.index };
    if (found[0] === '<![CDATA[') plain += escaped(markup.slice(constructs.lastIndex, close));
    end = constructs.lastIndex = close + closing.length;
  }
  const lastTag = markup.lastIndexOf('<');
  const isCut = lastTag >= end && !markup.includes('>', lastTag);
  const whole = isCut ? lastTag : markup.length;
  return { plain: plain + markup.slice(end, whole), end: whole };
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Replaces the five entities of XML, `&nbsp;` and numeric ones. Leaves others as they are. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (whole: string, name?: string, decimal?: string, hex?: string) => {
      if (name) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

export const dtdNotAllowed = (): UnreadableFile =>
  new UnreadableFile('dtd_not_allowed', 'The file has a document type definition (DTD), which is not allowed.');

/** An element with its attributes and children, or its text if it has neither. */
export type XmlNode = string | { readonly [name: string]: XmlNode | readonly XmlNode[] };

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  htmlEntities: false,
});

/** `subject` is what the markup is, with its verb. */
export function parsed(xml: string, subject: string): XmlNode {
  const node = nodeOf(xml);
  if (node === null) throw new UnreadableFile('invalid_markup', `${subject} not well-formed XML.`);
  return node;
}

export function nodeOf(xml: string): XmlNode | null {
  try {
    const { part } = parser.parse(`<part>${xml}</part>`, true) as { part: XmlNode };
    return part;
  } catch {
    return null;
  }
}

export function nodesAt(node: XmlNode, path: string): readonly XmlNode[] {
  return path.split('/').reduce<readonly XmlNode[]>((nodes, name) => nodes.flatMap((one) => childrenOf(one, name)), [node]);
}

/** The text of the first element at a path that has one. Tries several paths in order. */
export function textAt(node: XmlNode, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = nodesAt(node, path).map(textOf).find(Boolean);
    if (text) return text;
  }
  return null;
}

function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  if (typeof node === 'string' || !Object.hasOwn(node, name)) return [];
  const child = node[name]!;
  return typeof child === 'string' || !Array.isArray(child) ? [child as XmlNode] : (child as readonly XmlNode[]);
}

export function textOf(node: XmlNode): string {
  if (typeof node === 'string') return unescaped(node).trim();
  const text = childrenOf(node, '#text')[0];
  return text === undefined ? '' : textOf(text);
}
