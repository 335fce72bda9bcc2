import { TextDecoder } from 'node:util';
import { UnreadableFile } from './unreadable-file.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE } from './limits.js';

/** Large enough to detect the format from the first block. */
const BLOCK_BYTES = 64 * 1024;
/** Encoding declarations are looked for in this many bytes at the start of the file. */
const DECLARATION_BYTES = 1024;

/** The bytes in blocks of one size, so that the first block is the head of the file however the bytes arrive. */
export async function* blocksOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > MAX_FILE_BYTES) throw new UnreadableFile('file_too_large', `The file is larger than ${MAX_FILE_SIZE}.`);
    pieces.push(piece);
    held += piece.byteLength;
    if (held < BLOCK_BYTES) continue;
    const whole = Buffer.concat(pieces);
    let at = 0;
    for (; at + BLOCK_BYTES <= whole.length; at += BLOCK_BYTES) yield whole.subarray(at, at + BLOCK_BYTES);
    pieces = [whole.subarray(at)];
    held = whole.length - at;
  }
  if (held > 0) yield Buffer.concat(pieces);
}

/**
 * The text of the blocks, with `\n` line ends. A file that declares no encoding is read in that with the most names of columns:
 * `namesIn` counts them at the head of a text.
 */
export async function* decodedTexts(blocks: AsyncIterable<Buffer>, namesIn: CountNames): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let isSettled = false;
  let rest = '';
  for await (const block of blocks) {
    if (!decoder) ({ decoder, isSettled } = decoderOf(block));
    // ASCII is the same in all candidates, so the first block with another byte decides.
    if (!isSettled && block.some((byte) => byte > 0x7f)) {
      isSettled = true;
      if (!isUtf8(block)) decoder = eightBitDecoderOf(block, namesIn);
    }
    const text = rest + decoder.decode(block, { stream: true });
    const end = /\r+$/.exec(text.slice(-MAX_LINE_END_LENGTH))?.index;
    rest = end === undefined ? '' : text.slice(text.length - Math.min(text.length, MAX_LINE_END_LENGTH) + end);
    yield withPlainLineEnds(text.slice(0, text.length - rest.length));
  }
  const last = withPlainLineEnds(rest + (decoder?.decode() ?? ''));
  if (last) yield last;
}

/** Some exports end lines with `\r\r\n`. */
const MAX_LINE_END_LENGTH = 4;
const withPlainLineEnds = (text: string): string => (text.includes('\r') ? text.replace(/\r{1,3}\n|\r/g, '\n') : text);

type Decoder = Pick<TextDecoder, 'decode'>;
type CountNames = (text: string) => number;

/** What Western letters never have beside them: letters of Poland or Czechia that were taken for signs. */
// eslint-disable-next-line no-control-regex
const OF_CENTRAL_EUROPE = /\p{L}[³¿¹¼¾]|[³¿¹£¼¾]\p{L}|\p{L}Ÿ|[\x8d\x8f\x9d]/u;
/** Within words, umlauts of DOS are quotation marks or no character at all, in Western and Central Europe alike. */
// eslint-disable-next-line no-control-regex
const OF_DOS = /\p{L}[\x81„”]\p{L}/u;
const DOS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** Code page 850, which no decoder of Node knows. */
class DosDecoder implements Decoder {
  decode(block: Uint8Array = new Uint8Array()): string {
    return Array.from(block, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : DOS[byte - 0x80])).join('');
  }
}

/** Of languages with letters of their own; Western first. */
const EIGHT_BIT = ['windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1255'];

/** That in which the file has the most names of columns: with another, their letters are signs or other letters. */
function eightBitDecoderOf(block: Buffer, namesIn: CountNames): Decoder {
  const decoders = [...EIGHT_BIT.map((encoding) => new TextDecoder(encoding)), new DosDecoder()];
  const texts = decoders.map((decoder) => decoder.decode(block));
  const names = texts.map(namesIn);
  const best = names.indexOf(Math.max(...names));
  if (best > 0) return decoders[best]!;
  if (OF_DOS.test(texts[0]!)) return new DosDecoder();
  return new TextDecoder(OF_CENTRAL_EUROPE.test(texts[0]!) ? 'windows-1250' : EIGHT_BIT[0]);
}

/** UTF-16, as a mark at its start says, or every second byte of its digits and line ends; null for anything else. */
export function utf16Of(head: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [first, second] = zeros as [number, number];
  // A quarter of its characters at least are ASCII, none is a zero, and all of them are text.
  if (Math.min(first, second) > 0 || Math.max(first, second) * 8 < head.length) return null;
  const encoding = second > 0 ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(encoding).decode(head.subarray(0, head.length - (head.length % 2)));
  // eslint-disable-next-line no-control-regex
  return /[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text) ? null : encoding;
}

/** The decoder for the declared encoding, else one for UTF-8 that is not settled yet. */
function decoderOf(head: Buffer): { decoder: TextDecoder; isSettled: boolean } {
  const utf16 = utf16Of(head);
  if (utf16) return { decoder: new TextDecoder(utf16), isSettled: true };
  const declared = declaredEncoding(head.toString('latin1', 0, DECLARATION_BYTES));
  if (!declared) return { decoder: new TextDecoder('utf-8'), isSettled: false };
  try {
    const decoder = new TextDecoder(declared);
    // Many files declare UTF-8 and are not.
    return { decoder, isSettled: decoder.encoding !== 'utf-8' };
  } catch {
    throw new UnreadableFile('encoding_not_supported', 'The file declares an unknown character encoding. Save it as UTF-8.');
  }
}

/** OFX headers often declare 1252 whatever the encoding is, so that declaration is ignored. */
function declaredEncoding(start: string): string | null {
  const [, xml] = /<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start) ?? [];
  // What OFX 1 calls ASCII is a word that OFX 2 files have kept, whatever their letters are.
  if (xml) return /^(?:utf-?16|us-?ascii$)/i.test(xml) ? null : xml;
  const [, ofx] = /^\s*CHARSET:\s*(\d{4})\s*$/m.exec(start) ?? [];
  return ofx && ofx !== '1252' ? `windows-${ofx}` : null;
}

/** Accepts a character that is cut at the end of the block. */
function isUtf8(block: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(block, { stream: true });
    return true;
  } catch {
    return false;
  }
}
