import { WebhookError } from '../webhooks.js';
import { Chunks } from './receive.js';

/** What is needed of a request of Node, which a framework may have read already. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** True when somebody has begun to read the stream. */
  readonly readableDidRead?: boolean;
  on?(event: string, listener: (value: unknown) => void): unknown;
  off?(event: string, listener: (value: unknown) => void): unknown;
  resume?(): unknown;
  /** The body as a framework has left it: parsed, or raw. */
  readonly body?: unknown;
  /** The raw body, where something has kept it beside the parsed one. */
  readonly rawBody?: unknown;
}

const isRaw = (body: unknown): boolean => typeof body === 'string' || ArrayBuffer.isView(body);

/** The raw body of a request. `advice`: what to change if a framework has parsed it. */
export function rawBodyOf(request: NodeRequest, maxBytes: number, advice: string): unknown {
  const kept = [request.rawBody, request.body].find(isRaw);
  if (kept !== undefined) return kept;
  if (request.on && !request.readableDidRead) return read(request, maxBytes);
  throw new WebhookError('parsed_body', `The signature is that of the raw body, which was parsed before. ${advice}`);
}

function read(request: NodeRequest, maxBytes: number): Promise<Uint8Array> {
  const chunks = new Chunks(maxBytes, request.headers['content-length'] as string | undefined);
  return new Promise((resolve, reject) => {
    const add = (chunk: unknown): void => {
      try {
        chunks.add(chunk as Uint8Array);
      } catch (thrown) {
        const error = thrown as WebhookError;
        // What is still to come is dropped.
        request.off?.('data', add);
        request.resume?.();
        reject(error);
      }
    };
    request.on!('data', add);
    request.on!('end', () => resolve(chunks.bytes()));
    request.on!('error', reject);
  });
}
