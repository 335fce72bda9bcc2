import type { ClaimsEvent } from '../generated-types.js';
import { answerTo, read, type Answer } from './fetch.js';
import type { ReceiveOptions, Secrets } from './receive.js';

export type { ReceiveOptions, Secrets } from './receive.js';

const ADVICE = 'Nothing may read the request before the route does.';

/**
 * A route handler of Next.js (App Router) that receives webhooks: `export const POST = webhook(secret, async (event) => { … })`. It
 * answers with the Response of the handler, or 204. An error of the handler is that of the route, so the delivery is repeated.
 * It needs Requests and Responses of Fetch, nothing of Next.js.
 */
export function webhook<Context = unknown>(
  secrets: Secrets<[request: Request, context: Context]>,
  handler: (event: ClaimsEvent, request: Request, context: Context) => Answer | Promise<Answer>,
  options: ReceiveOptions = {},
): (request: Request, context: Context) => Promise<Response> {
  return (request, context) => {
    const body = (maxBytes: number) => read(request, maxBytes, ADVICE);
    return answerTo({ request, context: [request, context], body }, secrets, handler, options);
  };
}
