import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import type { RegisteredOperation } from '../operation/operation.js';
import { readBody } from './read-body.js';
import { validateRequest } from './validate-request.js';

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
  return { ...validateRequest(operation, { params, query, body: sentBody, url }), idempotencyKey, sentBody };
}

const KEY_FIELD = { location: 'header', field: 'Idempotency-Key' } as const;

export function idempotencyKeyOf(headers: Headers): string {
  const key = headers['idempotency-key'];
  if (key === undefined || key === '') {
    throw new Problem('idempotency_key_missing', { errors: [{ ...KEY_FIELD, code: 'required', message: 'is required' }] });
  }
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) {
    const message = 'must be 1 to 255 printable ASCII characters';
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
