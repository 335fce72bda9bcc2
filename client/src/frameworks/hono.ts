import type { ClaimsEvent } from '../generated-types.js';
import { answerTo, read, type Answer } from './fetch.js';
import type { ReceiveOptions, Secrets } from './receive.js';

export type { ReceiveOptions, Secrets } from './receive.js';

const ADVICE = 'Read it with c.req, which keeps it, not with c.req.raw.';

/** What is used of a context of Hono. State its `Context` in your handler where you need more. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    /** What earlier middleware has read. */
    readonly bodyCache: object;
    arrayBuffer(): Promise<ArrayBuffer>;
    param(name: string): string | undefined;
  };
  readonly env: unknown;
  json(body: object, status?: number): Response;
  text(body: string, status?: number): Response;
}

/**
 * A handler of Hono that receives webhooks: `app.post('/hooks/claims', webhook(secret, async (event, c) => { … }))`. It answers with
 * the Response of the handler, or 204. An error of the handler is that of the route, so the delivery is repeated.
 */
export function webhook<Context extends HonoContext = HonoContext>(
  secrets: Secrets<[context: Context]>,
  handler: (event: ClaimsEvent, context: Context) => Answer | Promise<Answer>,
  options: ReceiveOptions = {},
): (context: Context) => Promise<Response> {
  return (context) => {
    const { req } = context;
    const isKept = Object.keys(req.bodyCache).length > 0;
    const body = async (maxBytes: number) => (isKept ? req.arrayBuffer() : read(req.raw, maxBytes, ADVICE));
    return answerTo({ request: req.raw, context: [context], body }, secrets, handler, options);
  };
}
