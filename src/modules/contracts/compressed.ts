import { applyDecorators, Get, Header } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isNamedBy } from '../../api/call/record-versions.js';
import { AnyOrigin } from '../../api/operation/operation.decorator.js';
import { weightsIn } from '../../kernel/text.js';

/** The pages and documents never change while the process runs. */
export const CACHED = 'public, max-age=300';
/** A document for everybody. What a cache keeps must be readable for pages of any origin, even if no page asked first. */
export const Published = (path: string, type?: string): MethodDecorator =>
  applyDecorators(
    Get(path),
    AnyOrigin(),
    Header('Cache-Control', CACHED),
    Header('Access-Control-Allow-Origin', '*'),
    ...(type === undefined ? [] : [Header('Content-Type', `${type}; charset=utf-8`)]),
  );
/** For an answer that depends on more than its path, such as the results of a search. */
export const NOT_KEPT = 'private, no-store';

/** By preference. Each document is compressed once, in a thread of Node's pool. */
const ENCODINGS = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};
type Encoding = keyof typeof ENCODINGS;

/** Less is sent in one packet anyway. */
const COMPRESSED_FROM_BYTES = 1024;
/** Not every way to write the path of a file: what is kept must not grow with the requests. */
const PLAIN_PATH = /^(?:\/[\w-][\w.-]*)+\/?$/;

interface Kept {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly encoded: Map<Encoding, Promise<Buffer>>;
}

/** Compresses what is answered below these paths, and answers 304 to callers that have it already. Call it before routes are added. */
export function compressDocuments(fastify: FastifyInstance, paths: readonly string[]): void {
  const kept = new Map<string, Promise<Kept>>();
  const onSend = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const path = request.url.split('?')[0]!;
    // One path may be answered with a page or with JSON.
    const name = `${path} ${String(reply.getHeader('content-type'))}`;
    const known = kept.get(name);
    const isTheSameForAll = reply.statusCode === 200 && PLAIN_PATH.test(path) && reply.getHeader('cache-control') !== NOT_KEPT;
    if (!isTheSameForAll || (!known && request.method !== 'GET')) return payload;
    // It was opened anew for this request.
    if (known && isStream(payload)) payload.destroy();
    const read = known ?? keep(payload);
    kept.set(name, read);
    read.catch(() => kept.delete(name));
    return send(request, reply, await read);
  };
  fastify.addHook('onRoute', (route) => {
    if (paths.some((path) => route.url === path || route.url.startsWith(`${path}/`))) route.onSend = onSend;
  });
}

async function keep(payload: unknown): Promise<Kept> {
  const bytes = isStream(payload) ? await buffer(payload) : Buffer.from(payload as string);
  return { bytes, hash: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`, encoded: new Map() };
}

async function send({ headers }: FastifyRequest, reply: FastifyReply, { bytes, hash, encoded }: Kept): Promise<Buffer | null> {
  for (const name of ['content-length', 'last-modified', 'accept-ranges']) reply.removeHeader(name);
  // A weak tag: it is the same for all encodings.
  reply.headers({
    ETag: `W/${hash}`,
    Vary: [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', '),
    'Cache-Control': CACHED,
  });
  if (isNamedBy(headers['if-none-match'], hash)) {
    reply.status(304).removeHeader('content-type');
    return null;
  }
  const encoding = bytes.length < COMPRESSED_FROM_BYTES ? undefined : encodingFor(headers['accept-encoding']);
  if (!encoding) return bytes;
  const made = encoded.get(encoding) ?? ENCODINGS[encoding](bytes);
  encoded.set(encoding, made);
  reply.header('Content-Encoding', encoding);
  return made;
}

function encodingFor(accepted = ''): Encoding | undefined {
  const names = weightsIn(accepted).flatMap(([name, weight]) => (weight === 0 ? [] : [name]));
  return (Object.keys(ENCODINGS) as Encoding[]).find((encoding) => names.includes(encoding));
}

const isStream = (payload: unknown): payload is NodeJS.ReadableStream & { destroy(): void } =>
  typeof (payload as { pipe?: unknown } | null)?.pipe === 'function';
