import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { watchArrival } from './arrival.js';
import { FileBytes } from './file-bytes.js';

export interface SentFile {
  readonly field: string;
  /** As its sender says it. */
  readonly name: string;
  /** Empty if it is too large. */
  readonly content: Buffer;
  /** In hex. */
  readonly sha256: string;
  readonly isTooLarge: boolean;
  /** It is the whole body, and what is said of it is in the query. */
  readonly isBody?: boolean;
}

export interface FileBounds {
  readonly files: number;
  /** Of one file. A larger one is named in the form, but not kept in memory. */
  readonly fileBytes: number;
  readonly formBytes: number;
}

const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 64 * 1024;
export const MIB = 1024 * 1024;

export interface SentForm {
  readonly fields: URLSearchParams;
  readonly files: readonly SentFile[];
}

/** With the first file, `mayRead` is asked about the fields before it; if it says no, the form ends there, and no file is kept. */
export async function readFiles(request: FastifyRequest, bounds: FileBounds, mayRead: (fields: URLSearchParams) => boolean) {
  if (Number(request.headers['content-length'] ?? 0) > bounds.formBytes) throw tooLarge(bounds);
  const parser = parserOf(request, bounds);
  const { raw } = request;
  const cutOff = (cause?: unknown) => new Problem('bad_request', { detail: 'The form ended too early.', cause });
  if (raw.destroyed) throw cutOff();
  const fields = new URLSearchParams();
  const files: SentFile[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    const stop = (problem?: Problem): void => {
      raw.unpipe(parser).off('data', count).resume();
      // The rest of the last part of the body is still parsed.
      parser.removeAllListeners('field').removeAllListeners('file');
      return problem ? reject(problem) : resolve();
    };
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > bounds.formBytes) stop(tooLarge(bounds));
    };
    parser.on('field', (name, value, _isNameCut, isCut) => {
      if (isCut) stop(new Problem('body_too_large', { detail: `A field may have at most ${MAX_FIELD_BYTES / 1024} KiB.` }));
      else if (typeof name === 'string') fields.append(name, value);
    });
    parser.on('file', (field, stream, name) => {
      // Without a listener, an error of a file that ends too early would end the process.
      stream.on('error', () => undefined);
      // Several files share what is announced.
      const announced = bounds.files === 1 ? Math.min(Number(request.headers['content-length'] ?? 0), bounds.fileBytes) : 0;
      if (mayRead(fields)) keep(stream, { field, name, announced }, files);
      else stop();
    });
    parser.on('filesLimit', () => stop(new Problem('validation_failed', { detail: `Send at most ${bounds.files} files at once.` })));
    parser.on('error', (cause) => stop(cutOff(cause)));
    parser.on('finish', () => stop());
    raw.on('error', (cause) => stop(cutOff(cause)));
    raw.on('aborted', () => stop(cutOff()));
    watchArrival(raw, stop);
    raw.on('data', count).pipe(parser);
  });
  return { fields, files } satisfies SentForm;
}

interface NamedFile {
  readonly field: string;
  readonly name: string;
  readonly announced: number;
}

/** A field without a chosen file is sent as a file without a name and content. */
function keep(stream: BusboyFileStream, { field, name = '', announced }: NamedFile, files: SentFile[]): void {
  let bytes = new FileBytes(announced);
  let isTooLarge = false;
  stream.on('data', (chunk: Buffer) => {
    if (!isTooLarge) bytes.add(chunk);
  });
  stream.on('limit', () => {
    isTooLarge = true;
    bytes = new FileBytes();
  });
  stream.on('end', () => {
    if (name === '' && bytes.size === 0) return;
    files.push({ field, name, ...bytes.taken(), isTooLarge });
  });
}

function parserOf({ headers }: FastifyRequest, { files, fileBytes }: FileBounds): BusboyInstance {
  const type = headers['content-type'] ?? '';
  const refusal = (cause?: unknown) =>
    new Problem('unsupported_media_type', { detail: 'The body must be a form with files: multipart/form-data.', cause });
  if (!/^multipart\/form-data\s*;/i.test(type) || headers['content-encoding'] !== undefined) throw refusal();
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { files, fileSize: fileBytes, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, parts: files + MAX_FIELDS, headerPairs: 20 },
    });
  } catch (cause) {
    throw refusal(cause);
  }
}

const tooLarge = ({ formBytes }: FileBounds): Problem =>
  new Problem('body_too_large', { detail: `A form with its files may have at most ${formBytes / MIB} MiB. Send fewer files at once.` });
