import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { BODY_MAX_BYTES, KEY_MAX_LENGTH } from '../../kernel/request-limits.js';
import type { RegisteredOperation } from '../operation/operation.js';
import type { validateRequest } from './validate-request.js';

let validation: Promise<{ validateRequest: typeof validateRequest }> | undefined;

/** The HTTP application loads it at its start. A command does without: class-validator is large. */
export const loadValidation = (): NonNullable<typeof validation> => (validation ??= import('./validate-request.js'));

type Headers = FastifyRequest['headers'];
type Read = Pick<FastifyRequest, 'params' | 'query' | 'body' | 'idempotencyKey' | 'sentBody'>;

/**
 * Reads what a call asks for: the Idempotency-Key, and path, query and body as their declared classes. A caller without access
 * never gets here, so nothing is parsed for it.
 */
export async function readRequest(request: FastifyRequest, operation: RegisteredOperation): Promise<Read> {
  const { headers, url } = request;
  if (!acceptsJson(headers.accept)) throw new Problem('not_acceptable');
  const idempotencyKey = operation.needsKey ? idempotencyKeyOf(headers) : undefined;
  const sentBody = operation.body ? await readBody(request) : undefined;
  const params = request.params as Record<string, unknown>;
  const query = request.query as Record<string, unknown>;
  const { validateRequest } = await loadValidation();
  return { ...validateRequest(operation, { params, query, body: sentBody, url }), idempotencyKey, sentBody };
}

const KEY_FIELD = { location: 'header', field: 'Idempotency-Key' } as const;

export function idempotencyKeyOf(headers: Headers): string {
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') {
    throw new Problem('idempotency_key_missing', { errors: [{ ...KEY_FIELD, code: 'required', message: 'is required' }] });
  }
  if (typeof key !== 'string' || key.length > KEY_MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `must be 1 to ${KEY_MAX_LENGTH} printable ASCII characters`;
    throw new Problem('idempotency_key_invalid', { errors: [{ ...KEY_FIELD, code: 'not_allowed', message }] });
  }
  return key;
}

/** Whether an Accept header lets us answer with JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  if (!accept || accept === '*/*' || accept === 'application/json') return true;
  const ranges = new Map<string, boolean>();
  for (const entry of accept.split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    ranges.set(type, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)));
  }
  // The most specific range counts: `application/json;q=0, */*` is anything but JSON.
  for (const range of ['application/json', 'application/*', '*/*']) {
    const accepted = ranges.get(range);
    if (accepted !== undefined) return accepted;
  }
  return false;
}

/** Reads the body as a JSON object. No body at all is `{}`. */
async function readBody(request: FastifyRequest): Promise<Record<string, unknown>> {
  const { headers, raw } = request;
  if (Number(headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw new Problem('body_too_large');
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) return {};
  if (!isJson(headers['content-type']) || headers['content-encoding'] !== undefined) throw new Problem('unsupported_media_type');
  const bytes = await collect(raw, BODY_MAX_BYTES);
  return bytes.length === 0 ? {} : parseObject(bytes);
}

const isJson = (type = ''): boolean => /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);

/** All bytes of a body, up to a limit. */
export function collect(raw: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const cutOff = (cause?: unknown) => new Problem('bad_request', { detail: 'The body ended too early.', cause });
  // The caller hung up while the guards ran: no further event will come.
  if (raw.destroyed) return Promise.reject(cutOff());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    raw.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        raw.removeAllListeners('data').resume();
        reject(new Problem('body_too_large', { detail: `The body may have at most ${maxBytes / 1024} KiB.` }));
      } else chunks.push(chunk);
    });
    raw.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    raw.on('error', (cause) => reject(cutOff(cause)));
    raw.on('aborted', () => reject(cutOff()));
  });
}

/** More levels than any field may have. A megabyte of brackets would block the process in JSON.parse for a third of a second. */
export const DEPTH_MAX = 100;
const [QUOTE, BACKSLASH, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from('"\\{[}]');

function isNestedDeeper(bytes: Buffer, levels: number): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte === QUOTE) inText = !inText;
    else if (inText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseObject(bytes: Buffer): Record<string, unknown> {
  if (isNestedDeeper(bytes, DEPTH_MAX))
    throw new Problem('malformed_json', { detail: `The body is nested deeper than ${DEPTH_MAX} levels.` });
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new Problem('malformed_json', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('malformed_json', { detail: 'The body must be a JSON object.' });
  return value as Record<string, unknown>;
}
