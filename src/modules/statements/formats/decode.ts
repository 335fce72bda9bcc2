import { TextDecoder } from 'node:util';
import { JobFailure } from '../../../kernel/failure.js';

export const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** As much as is looked at to find out what a file is. */
const BLOCK_BYTES = 64 * 1024;
/** What a declaration may look like stands in the first bytes of the file. */
const DECLARATION_BYTES = 1024;

/** The bytes in blocks of one size, whatever pieces they come in, so that the first block is the head of the file. */
export async function* blocksOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > MAX_FILE_BYTES) throw new JobFailure('file_too_large', `The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB.`);
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

/** The text of the blocks, its lines ended by `\n` alone. */
export async function* textsOf(blocks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let isSettled = false;
  let rest = '';
  for await (const block of blocks) {
    if (!decoder) ({ decoder, isSettled } = decoderOf(block));
    // Up to the first byte that is not ASCII it makes no difference; that byte and what follows it tell.
    if (!isSettled && block.some((byte) => byte > 0x7f)) {
      isSettled = true;
      if (!isUtf8(block)) decoder = new TextDecoder('windows-1252');
    }
    const text = rest + decoder.decode(block, { stream: true });
    const end = /\r+$/.exec(text.slice(-LONGEST_LINE_END))?.index;
    rest = end === undefined ? '' : text.slice(text.length - Math.min(text.length, LONGEST_LINE_END) + end);
    yield withPlainLineEnds(text.slice(0, text.length - rest.length));
  }
  const last = withPlainLineEnds(rest + (decoder?.decode() ?? ''));
  if (last) yield last;
}

/** Some exports end lines with `\r\r\n`. */
const LONGEST_LINE_END = 4;
const withPlainLineEnds = (text: string): string => (text.includes('\r') ? text.replace(/\r{1,3}\n|\r/g, '\n') : text);

/** The decoder that the file itself asks for; else one for UTF-8, which is not settled yet. */
function decoderOf(head: Buffer): { decoder: TextDecoder; isSettled: boolean } {
  if (head[0] === 0xff && head[1] === 0xfe) return { decoder: new TextDecoder('utf-16le'), isSettled: true };
  if (head[0] === 0xfe && head[1] === 0xff) return { decoder: new TextDecoder('utf-16be'), isSettled: true };
  const declared = declaredEncoding(head.toString('latin1', 0, DECLARATION_BYTES));
  if (!declared) return { decoder: new TextDecoder('utf-8'), isSettled: false };
  try {
    const decoder = new TextDecoder(declared);
    // Many a file says UTF-8 and is not.
    return { decoder, isSettled: decoder.encoding !== 'utf-8' };
  } catch {
    throw new JobFailure('encoding_not_supported', 'The file declares a character encoding that is not known here.');
  }
}

/** Headers of OFX say 1252 out of habit, whatever follows; so that one is found out and not believed. */
function declaredEncoding(start: string): string | null {
  const [, xml] = /<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start) ?? [];
  if (xml) return /^utf-?16/i.test(xml) ? null : xml;
  const [, ofx] = /^\s*CHARSET:\s*(\d{4})\s*$/m.exec(start) ?? [];
  return ofx && ofx !== '1252' ? `windows-${ofx}` : null;
}

/** A character may be cut at the end of the block. */
function isUtf8(block: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(block, { stream: true });
    return true;
  } catch {
    return false;
  }
}
