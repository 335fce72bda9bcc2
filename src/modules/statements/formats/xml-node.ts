import { XMLParser } from 'fast-xml-parser';
import { JobFailure } from '../../../kernel/failure.js';
import { unescaped } from './plain-markup.js';

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
  if (node === null) throw new JobFailure('invalid_markup', `${subject} not well-formed XML.`);
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
