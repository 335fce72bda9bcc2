import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../kernel/problems.js';
import { BODY_MAX_BYTES } from '../../kernel/request-limits.js';

/**
 * Reads the body as a JSON object. It happens after the guards, so that nobody without access makes us read or parse
 * anything, and a refused credential is answered as such whatever the body looks like. No body at all is `{}`.
 */
export async function readBody(request: FastifyRequest): Promise<Record<string, unknown>> {
  const { headers, raw } = request;
  if (Number(headers['content-length'] ?? 0) > BODY_MAX_BYTES) throw new Problem('body_too_large');
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  if (isEmpty) return {};
  if (!isJson(headers['content-type']) || headers['content-encoding'] !== undefined) throw new Problem('unsupported_media_type');
  const bytes = await collect(raw, BODY_MAX_BYTES);
  return bytes.length === 0 ? {} : parseObject(bytes);
}

const isJson = (type = ''): boolean => /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);

/** The bytes of a body, if they are not too many. */
export function collect(raw: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const cutOff = (cause?: unknown) => new Problem('bad_request', { detail: 'The body ended too early.', cause });
  // The caller hung up while the guards were at work: nothing more will be told of this body.
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

/** Deeper than any field may be. A megabyte of brackets would keep JSON.parse, and with it the process, for a third of a second. */
export const DEPTH_MAX = 100;
const [QUOTE, BACKSLASH, OPEN_OBJECT, OPEN_ARRAY, CLOSE_OBJECT, CLOSE_ARRAY] = Buffer.from('"\\{[}]');

function isDeeperThan(depthMax: number, bytes: Buffer): boolean {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    if (byte === QUOTE) inText = !inText;
    else if (inText) index += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
    if (depth > depthMax) return true;
  }
  return false;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parseObject(bytes: Buffer): Record<string, unknown> {
  if (isDeeperThan(DEPTH_MAX, bytes))
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
