import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { BODY_MAX_BYTES, KEY_MAX_LENGTH } from '../../kernel/product.js';
import { ifMatchOf } from '../call/record-versions.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { parseJson, requireObject } from './json-body.js';
import type { validateRequest } from './validate-request.js';

let validate: typeof validateRequest | undefined;

/** The HTTP application loads it at its start. A command does without: class-validator is large. */
export const loadValidation = async (): Promise<typeof validateRequest> =>
  (validate ??= (await import('./validate-request.js')).validateRequest);

type Headers = FastifyRequest['headers'];
type Read = Pick<FastifyRequest, 'params' | 'query' | 'body' | 'idempotencyKey' | 'sentBody' | 'ifMatch'>;

/**
 * Reads what a call asks for: the Idempotency-Key, and path, query and body as their declared classes. A caller without access
 * never gets here, so nothing is parsed for it.
 */
export async function readRequest(request: FastifyRequest, operation: RegisteredOperation): Promise<Read> {
  const { headers, raw, url } = request;
  if (!accepts(headers.accept, operation.mediaTypes)) throw new Problem('not_acceptable');
  const idempotencyKey = operation.needsKey ? idempotencyKeyOf(headers, raw.rawHeaders) : undefined;
  const ifMatch = operation.takesIfMatch ? ifMatchOf(headers['if-match']) : undefined;
  const sentBody = operation.body ? await readBody(request) : undefined;
  const params = request.params as Record<string, unknown>;
  const query = request.query as Record<string, unknown>;
  const valid = (validate ?? (await loadValidation()))(operation, { params, query, body: sentBody, url });
  return { params: valid.params, query: valid.query, body: valid.body, idempotencyKey, sentBody, ifMatch };
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

/** Whether an Accept header lets us answer with one of the media types. */
export function accepts(accept: string | undefined, mediaTypes: readonly string[] = JSON_ONLY): boolean {
  if (!accept || accept === '*/*' || mediaTypes.includes(accept)) return true;
  const ranges = new Map<string, boolean>();
  for (const entry of accept.split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    ranges.set(type, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)));
  }
  // The most specific range counts: `application/json;q=0, */*` is anything but JSON.
  return mediaTypes.some((type) => {
    const [plain, all] = [type.split(';')[0]!, `${type.split('/')[0]}/*`];
    return [plain, all, '*/*'].map((range) => ranges.get(range)).find((accepted) => accepted !== undefined) ?? false;
  });
}

/** Reads the body as a JSON object. No body at all is `{}`. */
async function readBody(request: FastifyRequest): Promise<Record<string, unknown>> {
  const value = await readJson(request);
  return value === undefined ? {} : requireObject(value);
}

/** Reads a body as JSON, within the limits on size and depth. Undefined if there is no body. */
export async function readJson({ headers, raw }: FastifyRequest): Promise<unknown> {
  if (Number(headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw tooLarge(BODY_MAX_BYTES);
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) return undefined;
  if (!isJson(headers['content-type']) || headers['content-encoding'] !== undefined) throw new Problem('unsupported_media_type');
  const bytes = await collect(raw, BODY_MAX_BYTES);
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

const isJson = (type = ''): boolean => /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);

const tooLarge = (maxBytes: number): Problem =>
  new Problem('body_too_large', { detail: `The body may have at most ${maxBytes / 1024} KiB.` });

/** All bytes of a body, up to a limit. */
export function collect(raw: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const cutOff = (cause?: unknown) => new Problem('bad_request', { detail: 'The body ended too early.', cause });
  // The caller hung up while the guards ran: no further event will come.
  if (raw.destroyed) return Promise.reject(cutOff());
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    raw.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        raw.removeAllListeners('data').resume();
        reject(tooLarge(maxBytes));
      } else chunks.push(chunk);
    });
    raw.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    raw.on('error', (cause) => reject(cutOff(cause)));
    raw.on('aborted', () => reject(cutOff()));
    watchArrival(raw, reject);
  });
}

/** Who waits for the rest of a body, by its connection. */
const waiting = new WeakMap<Socket, (problem: Problem) => void>();

/** Calls `refuse` if Node gives the request up before all of it has arrived. */
export function watchArrival(raw: IncomingMessage, refuse: (problem: Problem) => void): void {
  const { socket } = raw;
  waiting.set(socket, refuse);
  raw.once('end', () => waiting.delete(socket));
}

/** What answers a request that arrived too slowly. Node serves no further request of the connection, so the answer closes it. */
export const tooSlow = (): Problem => new Problem('request_timeout', { headers: { Connection: 'close' } });

/** Lets the handler that waits for the body answer. False if there is none: no headers have arrived, or nobody reads the body. */
export function refuseSlowBody(socket: Socket): boolean {
  const refuse = waiting.get(socket);
  waiting.delete(socket);
  refuse?.(tooSlow());
  return refuse !== undefined;
}
