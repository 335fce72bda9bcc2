import { TextDecoder } from 'node:util';
import { JobFailure } from '../../../kernel/failure.js';
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
    if (size > MAX_FILE_BYTES) throw new JobFailure('file_too_large', `The file is larger than ${MAX_FILE_SIZE}.`);
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

/** The whole file, for formats that can only be read from their end. */
export async function readWhole(blocks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const block of blocks) all.push(block);
  return Buffer.concat(all);
}

/** The text of the blocks, with `\n` line ends. */
export async function* textsOf(blocks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let isSettled = false;
  let rest = '';
  for await (const block of blocks) {
    if (!decoder) ({ decoder, isSettled } = decoderOf(block));
    // ASCII is the same in all candidates, so the first block with another byte decides.
    if (!isSettled && block.some((byte) => byte > 0x7f)) {
      isSettled = true;
      if (!isUtf8(block)) decoder = new TextDecoder('windows-1252');
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

/** The decoder for the declared encoding, else one for UTF-8 that is not settled yet. */
function decoderOf(head: Buffer): { decoder: TextDecoder; isSettled: boolean } {
  if (head[0] === 0xff && head[1] === 0xfe) return { decoder: new TextDecoder('utf-16le'), isSettled: true };
  if (head[0] === 0xfe && head[1] === 0xff) return { decoder: new TextDecoder('utf-16be'), isSettled: true };
  const declared = declaredEncoding(head.toString('latin1', 0, DECLARATION_BYTES));
  if (!declared) return { decoder: new TextDecoder('utf-8'), isSettled: false };
  try {
    const decoder = new TextDecoder(declared);
    // Many files declare UTF-8 and are not.
    return { decoder, isSettled: decoder.encoding !== 'utf-8' };
  } catch {
    throw new JobFailure('encoding_not_supported', 'The file declares an unknown character encoding. Save it as UTF-8.');
  }
}

/** OFX headers often declare 1252 whatever the encoding is, so that declaration is ignored. */
function declaredEncoding(start: string): string | null {
  const [, xml] = /<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start) ?? [];
  if (xml) return /^utf-?16/i.test(xml) ? null : xml;
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
