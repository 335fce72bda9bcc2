import type { ClaimsEvent } from '../generated-types.js';
import { BODY_MAX_BYTES, receive, secretsFor, type ReceiveOptions, type Secrets } from './receive.js';

export type { ReceiveOptions, Secrets } from './receive.js';

/** What is needed of a request of Fastify. */
export interface FastifyRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly params: unknown;
  readonly body: unknown;
}

/** What is needed of a reply of Fastify. */
export interface FastifyReply {
  readonly sent: boolean;
  code(status: number): this;
  type(contentType: string): this;
  send(payload?: unknown): this;
}

type Done = (error: Error | null, body?: unknown) => void;

/** What is needed of an instance of Fastify. */
export interface FastifyInstance<Request, Reply> {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: '*',
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: never, body: Uint8Array, done: Done) => void,
  ): unknown;
  post(url: string, handler: (request: Request, reply: Reply) => Promise<unknown>): unknown;
}

/**
 * A plugin of Fastify with a route that receives webhooks:
 * `app.register(webhook('/hooks/claims', secret, async (event) => { … }))`. It reads the raw body itself, whatever the other routes
 * do, and answers 204 when the handler neither returns a value nor has sent a reply. An error of the handler is that of the route, so
 * the delivery is repeated.
 */
export function webhook<Request extends FastifyRequest = FastifyRequest, Reply extends FastifyReply = FastifyReply>(
  url: string,
  secrets: Secrets<[Request]>,
  handler: (event: ClaimsEvent, request: Request, reply: Reply) => unknown,
  options: ReceiveOptions = {},
): (app: FastifyInstance<Request, Reply>) => Promise<void> {
  // Fastify reads the body, and answers 413 itself.
  const { maxBytes: bodyLimit = BODY_MAX_BYTES } = options;
  return (app) => {
    // Only those of this plugin: Fastify encapsulates them.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
    app.post(url, async (request, reply) => {
      const body = () => request.body ?? '';
      const received = await receive({ headers: request.headers, body, secrets: () => secretsFor(secrets, request) }, options);
      if (!received.event) return reply.code(received.status).type('text/plain; charset=utf-8').send(received.text);
      const answer = await handler(received.event, request, reply);
      if (reply.sent) return reply;
      return answer === undefined ? reply.code(204).send() : answer;
    });
    return Promise.resolve();
  };
}
