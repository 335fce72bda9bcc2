import { constants, inflateRawSync } from 'node:zlib';
import { UnreadableFile } from '../unreadable-file.js';
import { MAX_FILE_BYTES, MAX_FILE_SIZE, MAX_UNPACKED_BYTES, MAX_UNPACKED_SIZE } from '../limits.js';

export class TooLarge extends Error {}

type Decode = (bytes: Uint8Array, limit: number, parameters: string) => Uint8Array;

const HEADER_BYTES = 2;
const CHUNK_BYTES = 64 * 1024;
/** Reads as PDF readers do, whatever the checksum is. What is damaged is for them to refuse. */
const inflated: Decode = (bytes, limit) => {
  try {
    const options = { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: CHUNK_BYTES };
    return inflateRawSync(bytes.subarray(HEADER_BYTES), options);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge();
    return new Uint8Array();
  }
};

class Output {
  bytes = new Uint8Array(CHUNK_BYTES);
  length = 0;

  constructor(private readonly limit: number) {}

  get written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Makes room for so many more bytes, and returns where they begin. */
  add(count: number): number {
    const [start, needed] = [this.length, this.length + count];
    if (needed > this.limit) throw new TooLarge();
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.written);
      this.bytes = larger;
    }
    this.length = needed;
    return start;
  }
}

const END_OF_RUNS = 128;
const unrolled: Decode = (bytes, limit) => {
  const output = new Output(limit);
  for (let at = 0; at < bytes.length && bytes[at] !== END_OF_RUNS;) {
    const isRun = bytes[at]! > END_OF_RUNS;
    const piece = isRun ? bytes.subarray(at + 1, at + 2) : bytes.subarray(at + 1, at + bytes[at]! + 2);
    const count = isRun ? 257 - bytes[at]! : piece.length;
    const start = output.add(count);
    if (isRun) output.bytes.fill(piece[0] ?? 0, start, start + count);
    else output.bytes.set(piece, start);
    at += 1 + (isRun ? 1 : bytes[at]! + 1);
  }
  return output.written;
};

const CLEAR_TABLE = 256;
const END_OF_DATA = 257;
const MAX_CODES = 4096;
/** LZW: codes of 9 to 12 bits, each for a byte or for a text that was written before and the byte after it. */
const expanded: Decode = (bytes, limit, parameters) => {
  const output = new Output(limit);
  const early = /\/EarlyChange\s+0/.test(parameters) ? 0 : 1;
  const [starts, lengths] = [new Uint32Array(MAX_CODES), new Uint32Array(MAX_CODES)];
  let [next, held, bits] = [END_OF_DATA + 1, 0, 0];
  let before: { readonly start: number; readonly length: number } | undefined;
  for (const byte of bytes) {
    const width = Math.min(12, 32 - Math.clz32(next + early));
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === CLEAR_TABLE) [next, before] = [END_OF_DATA + 1, undefined];
    if (code === CLEAR_TABLE) continue;
    if (before && next < MAX_CODES) {
      starts[next] = before.start;
      lengths[next] = before.length + 1;
      next += 1;
    }
    if (code === END_OF_DATA || code >= next) break;
    const length = code < CLEAR_TABLE ? 1 : lengths[code]!;
    const start = output.add(length);
    // Byte by byte: a text may begin where it is being written.
    for (let index = 0; index < length; index += 1)
      output.bytes[start + index] = code < CLEAR_TABLE ? code : output.bytes[starts[code]! + index]!;
    before = { start, length };
  }
  return output.written;
};

const FIRST_DIGIT = 33;
const ZEROS = 0x7a;
const END_OF_TEXT = 0x7e;
/** ASCII85: five digits are four bytes. */
const ofText: Decode = (bytes, limit) => {
  const output = new Output(limit);
  let digits: number[] = [];
  const flush = (): void => {
    const count = digits.length - 1;
    const value = [...digits, 84, 84, 84, 84].slice(0, 5).reduce((sum, digit) => sum * 85 + digit, 0);
    const start = output.add(count);
    for (let index = 0; index < count; index += 1) output.bytes[start + index] = Math.floor(value / 256 ** (3 - index)) & 0xff;
    digits = [];
  };
  for (const byte of bytes) {
    if (byte === END_OF_TEXT) break;
    if (byte === ZEROS && digits.length === 0) output.bytes.fill(0, output.add(4), output.length);
    if (byte < FIRST_DIGIT || byte >= ZEROS) continue;
    if (digits.push(byte - FIRST_DIGIT) === 5) flush();
  }
  if (digits.length > 1) flush();
  return output.written;
};

const ofHex: Decode = (bytes) => {
  const [text] = Buffer.from(bytes).toString('latin1').split('>', 1);
  return Buffer.from(text!.replace(/[^0-9a-f]/gi, ''), 'hex');
};

/** By their names and the short ones of inline images, which readers take everywhere. Those of pictures are not read. */
export const FILTERS: Readonly<Record<string, Decode>> = {
  FlateDecode: inflated,
  Fl: inflated,
  LZWDecode: expanded,
  LZW: expanded,
  RunLengthDecode: unrolled,
  RL: unrolled,
  ASCII85Decode: ofText,
  A85: ofText,
  ASCIIHexDecode: ofHex,
  AHx: ofHex,
};

const STREAM = Buffer.from('stream');
const END_OF_STREAM = Buffer.from('endstream');
const OBJECT = Buffer.from('obj');
/** How far the end of the line is looked for after which the bytes of a stream begin. */
const LINE_BYTES = 64;
/** No text is read from these. */
const NOT_READ = /\/Subtype\s*\/Image\b|\/Type\s*\/EmbeddedFile\b/;
const FILTER_NAME = new RegExp(`/(${Object.keys(FILTERS).join('|')})(?![A-Za-z0-9])`, 'g');

/**
 * A copy of a PDF whose streams are small enough when they are unpacked: each as any file, and together as an archive. A megabyte can
 * be made that becomes a gigabyte, and the library unpacks a stream as a whole. So each is unpacked here first, up to its limit, wherever
 * it is and whatever refers to it. Pictures and attachments are blanked, and so never unpacked. What an encrypted PDF has is not known
 * here: the limits of time and memory hold for it.
 */
export function withSmallStreams(file: Buffer): Uint8Array {
  const bytes = new Uint8Array(file);
  const pdf = Buffer.from(bytes.buffer);
  let [unpacked, from, end] = [0, 0, 0];
  for (let at = pdf.indexOf(STREAM); at !== -1; at = pdf.indexOf(STREAM, from)) {
    const [before, start] = [pdf.subarray(from, at), startAfter(pdf, at + STREAM.length)];
    from = at + STREAM.length;
    if (pdf.toString('latin1', at - 3, at) === 'end') continue;
    if (end !== -1 && end < start) end = pdf.indexOf(END_OF_STREAM, start);
    const written = pdf.subarray(start, end === -1 ? pdf.length : end);
    const dictionary = dictionaryIn(before);
    if (NOT_READ.test(dictionary)) written.fill(0);
    else unpacked += unpackedSize(written, pdf.subarray(start), dictionary);
    if (unpacked > MAX_UNPACKED_BYTES) throw tooLarge(`The PDF is larger than ${MAX_UNPACKED_SIZE} when it is unpacked.`);
  }
  return bytes;
}

/** The bytes of a stream begin on the next line. */
function startAfter(pdf: Buffer, at: number): number {
  const [lineEnd = ''] = /\r\n|\r|\n/.exec(pdf.toString('latin1', at, at + LINE_BYTES)) ?? [];
  return lineEnd ? pdf.indexOf(lineEnd, at, 'latin1') + lineEnd.length : at;
}

/** What an object says before its stream, with names as they are meant: `/Fl#61teDecode` is `/FlateDecode`. */
function dictionaryIn(before: Buffer): string {
  const text = before.toString('latin1', before.lastIndexOf(OBJECT) + 1);
  return text.replace(/#([0-9a-f]{2})/gi, (_escape, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** What all its filters make of a stream. Deflated bytes end by themselves, wherever a reader believes that the stream ends. */
function unpackedSize(written: Buffer, rest: Buffer, dictionary: string): number {
  const named = [...dictionary.matchAll(FILTER_NAME)].map(([, name]) => name!);
  const filters = named.length > 0 ? named : looksDeflated(written) ? ['FlateDecode'] : [];
  let bytes: Uint8Array = /^Fl/.test(filters[0] ?? '') ? rest : written;
  let size = 0;
  try {
    for (const name of filters) {
      bytes = FILTERS[name]!(bytes, MAX_FILE_BYTES, dictionary);
      size += bytes.length;
    }
  } catch (error) {
    throw error instanceof TooLarge ? tooLarge(`A part of the PDF is larger than ${MAX_FILE_SIZE} when it is unpacked.`) : error;
  }
  return size;
}

/** For a stream that refers to the names of its filters. */
const looksDeflated = (bytes: Buffer): boolean => bytes.length > 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

const tooLarge = (message: string): UnreadableFile => new UnreadableFile('file_too_large', message);
