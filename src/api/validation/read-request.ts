import type { IncomingMessage } from 'node:http';
import type { Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isObject } from '../../kernel/json.js';
import { Problem, type FieldError } from '../../kernel/problems.js';
import { BODY_MAX_BYTES, KEY_MAX_LENGTH } from '../../kernel/product.js';
import { weightsIn } from '../../kernel/text.js';
import type { Asked } from '../call/call.js';
import { ifMatchOf } from '../call/record-versions.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { watchArrival } from './arrival.js';
import { fieldsOf } from './field.js';
import { errorIn, inexactNumbers, placeIn } from './json-text.js';
import type { validateRequest } from './validate-request.js';

let validate: typeof validateRequest | undefined;

/** The HTTP application loads it at its start. A command does without: class-validator is large. */
export const loadValidation = async (): Promise<typeof validateRequest> =>
  (validate ??= (await import('./validate-request.js')).validateRequest);

type Headers = FastifyRequest['headers'];

/** Reads what a request asks for. A caller without access never gets here, so nothing is parsed for it. */
export async function readRequest(request: FastifyRequest, operation: RegisteredOperation): Promise<Asked> {
  const head = readHead(request, operation);
  const isMerge = operation.takesMerge && MERGE_PATCH.test(request.headers['content-type'] ?? '');
  const type = isMerge ? MERGE_PATCH : JSON_TYPE;
  const body = operation.needsKey ? await readBody(request, operation.body && textFieldsOf(operation.body), type) : undefined;
  return { ...head, body, ...(isMerge && { isMerge }) };
}

export function readHead({ headers, raw, url, params, query }: FastifyRequest, operation: RegisteredOperation): Omit<Asked, 'body'> {
  if (!accepts(headers.accept, operation.mediaTypes)) throw new Problem('not_acceptable');
  const key = operation.needsKey ? idempotencyKeyOf(headers, raw.rawHeaders) : undefined;
  const ifMatch = operation.takesIfMatch ? ifMatchOf(headers['if-match']) : undefined;
  return { params: params as Asked['params'], query: query as Asked['query'], url, key, ifMatch };
}

const KEY_FIELD = { location: 'header', field: 'Idempotency-Key' } as const;

export function idempotencyKeyOf(headers: Headers, rawHeaders: readonly string[] = []): string {
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') {
    throw new Problem('idempotency_key_missing', { errors: [{ ...KEY_FIELD, code: 'required', message: 'is required' }] });
  }
  // Node joins repeated headers by a comma.
  if (key.includes(',') && rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'idempotency-key').length > 1) {
    const detail = 'The header Idempotency-Key was sent more than once.';
    throw new Problem('idempotency_key_invalid', { detail, errors: [{ ...KEY_FIELD, code: 'repeated', message: 'must be sent once' }] });
  }
  if (typeof key !== 'string' || key.length > KEY_MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `must be 1 to ${KEY_MAX_LENGTH} printable ASCII characters`;
    throw new Problem('idempotency_key_invalid', { errors: [{ ...KEY_FIELD, code: 'not_allowed', message }] });
  }
  return key;
}

const JSON_ONLY = ['application/json'];

export function accepts(accept: string | undefined, mediaTypes: readonly string[] = JSON_ONLY): boolean {
  if (!accept || accept === '*/*' || mediaTypes.includes(accept)) return true;
  const ranges = new Map(weightsIn(accept));
  // The most specific range counts: `application/json;q=0, */*` is anything but JSON.
  return mediaTypes.some((type) => {
    const [plain, all] = [type.split(';')[0]!, `${type.split('/')[0]}/*`];
    return ([plain, all, '*/*'].map((range) => ranges.get(range)).find((weight) => weight !== undefined) ?? 0) !== 0;
  });
}

/** Reads the body as a JSON object. No body at all is `{}`. */
async function readBody(
  request: FastifyRequest,
  isText: ((field: string) => boolean) | undefined,
  type: RegExp,
): Promise<Record<string, unknown>> {
  const value = await readJson(request, isText, type);
  return value === undefined ? {} : requireObject(value);
}

const textFieldsOf =
  ({ prototype }: Type<object>) =>
  (field: string): boolean => {
    const { type, isArray = false } = fieldsOf(prototype as object).get(field)?.schema ?? {};
    return type === String && !isArray;
  };

/** Reads a body as JSON, within the limits on size and depth. Undefined if there is no body. */
export async function readJson({ headers, raw }: FastifyRequest, isText?: (field: string) => boolean, type = JSON_TYPE): Promise<unknown> {
  if (Number(headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw tooLarge(BODY_MAX_BYTES);
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) return undefined;
  if (!type.test(headers['content-type'] ?? '') || headers['content-encoding'] !== undefined) throw new Problem('unsupported_media_type');
  const bytes = await collect(raw, BODY_MAX_BYTES);
  return bytes.length === 0 ? undefined : parseJson(bytes, isText);
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const MERGE_PATCH = /^application\/merge-patch\+json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const tooLarge = (maxBytes: number): Problem =>
  new Problem('body_too_large', { detail: `The body may have at most ${maxBytes / 1024} KiB.` });

export async function collect(raw: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  await collectInto(raw, (chunk) => {
    size += chunk.length;
    if (size > maxBytes) return tooLarge(maxBytes);
    chunks.push(chunk);
    return undefined;
  });
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Reads a body to its end, unless `add` returns why it is refused. */
export function collectInto(raw: IncomingMessage, add: (chunk: Buffer) => Problem | undefined): Promise<void> {
  const cutOff = (cause?: unknown) => new Problem('bad_request', { detail: 'The body ended too early.', cause });
  // The caller hung up while the guards ran: no further event will come.
  if (raw.destroyed) return Promise.reject(cutOff());
  return new Promise<void>((resolve, reject) => {
    raw.on('data', (chunk: Buffer) => {
      const problem = add(chunk);
      if (!problem) return;
      raw.removeAllListeners('data').resume();
      reject(problem);
    });
    raw.on('end', () => resolve());
    raw.on('error', (cause) => reject(cutOff(cause)));
    raw.on('aborted', () => reject(cutOff()));
    watchArrival(raw, reject);
  });
}

/** More levels than any field may have. A megabyte of brackets would block the process in JSON.parse for a third of a second. */
export const DEPTH_MAX = 100;
/** A double holds every number of so many digits. */
const EXACT_DIGITS = 15;
const [QUOTE, BACKSLASH, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from('"\\{[}]');
const [ZERO, NINE, POINT, SMALL_E, LARGE_E] = Buffer.from('09.eE') as unknown as [number, number, number, number, number];

/** Reads the bytes once, for what must be known before they are parsed, or is lost afterwards. */
function lookThrough(bytes: Buffer): { isTooDeep: boolean; mayBeInexact: boolean } {
  let depth = 0;
  let inText = false;
  let digits = 0;
  let mayBeInexact = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte === QUOTE) inText = !inText;
    else if (inText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte >= ZERO && byte <= NINE) {
      digits += 1;
      if (digits > EXACT_DIGITS) mayBeInexact = true;
    } else if (byte !== POINT) {
      if (digits > 0 && (byte === SMALL_E || byte === LARGE_E)) mayBeInexact = true;
      digits = 0;
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (depth > DEPTH_MAX) return { isTooDeep: true, mayBeInexact };
    }
  }
  return { isTooDeep: false, mayBeInexact };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The bytes as JSON. The problem says where they are none, and which numbers would be stored as others. `isText` says which fields must
 * be texts: for these, that is what is wrong with a number.
 */
export function parseJson(bytes: Buffer, isText: (field: string) => boolean = () => false): unknown {
  const { isTooDeep, mayBeInexact } = lookThrough(bytes);
  if (isTooDeep) throw new Problem('malformed_json', { detail: `The body is nested deeper than ${DEPTH_MAX} levels.` });
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(text, cause);
  }
  if (mayBeInexact) requireExactNumbers(text, isText);
  return value;
}

export function requireObject(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new Problem('malformed_json', { detail: 'The body must be a JSON object.' });
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    const lenient = bytes.toString();
    // What could not be decoded was replaced, so the bytes differ from there on.
    const again = Buffer.from(lenient);
    const wrong = bytes.findIndex((byte, index) => byte !== again[index]);
    const before = bytes.subarray(0, wrong).toString();
    throw new Problem('malformed_json', { detail: `The body is not UTF-8 at ${placeIn(before, before.length)}.`, cause });
  }
}

const BYTE_ORDER_MARK = '\uFEFF';

function malformed(text: string, cause: unknown): Problem {
  if (text.startsWith(BYTE_ORDER_MARK))
    return new Problem('malformed_json', { detail: 'The body begins with a byte order mark (BOM). Send it as UTF-8 without one.', cause });
  const error = errorIn(text);
  if (!error) return new Problem('malformed_json', { cause });
  const place = placeIn(text, error.index);
  return new Problem('malformed_json', { detail: `The body is not JSON at ${place}: ${error.message} is expected.`, cause });
}

function requireExactNumbers(text: string, isText: (field: string) => boolean): void {
  const fields = inexactNumbers(text);
  if (fields.length === 0) return;
  const message = 'must be a number that a double can hold exactly, or a string';
  const wrong = fields.map((field): FieldError =>
    isText(field)
      ? { location: 'body', field, code: 'wrong_type', message: 'must be a string' }
      : { location: 'body', field, code: 'inexact_number', message },
  );
  throw Problem.validation(wrong);
}
