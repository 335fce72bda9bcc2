import type { ClaimsEvent } from '../generated-types.js';
import { rawBodyOf, type NodeRequest } from './node.js';
import { receive, secretsFor, type ReceiveOptions, type Refusal, type Secrets } from './receive.js';

export type { NodeRequest } from './node.js';
export type { ReceiveOptions, Secrets } from './receive.js';

const ADVICE =
  'Register this route before app.use(express.json()), or keep the raw body: ' +
  'express.json({ verify: (request, _response, bytes) => { request.rawBody = bytes; } }).';

/** What is needed of a response of Express, or of Node. */
export interface NodeResponse {
  statusCode: number;
  readonly headersSent: boolean;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
}

/** The types of a handler that states none. State those of Express where you need more: `(event, request: Request) => …`. */
export interface ExpressRequest extends NodeRequest {
  readonly params: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ExpressResponse extends NodeResponse {
  status(code: number): this;
  send(body?: unknown): this;
}

function refuse(response: NodeResponse, { status, text }: Refusal): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  // The rest of a body that is too large is not waited for.
  if (status === 413) response.setHeader('Connection', 'close');
  response.end(text);
}

/**
 * A route of Express that receives webhooks: `app.post('/hooks/claims', webhook(secret, async (event) => { … }))`. It answers 204
 * when the handler has not answered itself. An error of the handler is passed to `next`, so the delivery is repeated.
 */
export function webhook<Request extends NodeRequest = ExpressRequest, Response extends NodeResponse = ExpressResponse>(
  secrets: Secrets<[Request]>,
  handler: (event: ClaimsEvent, request: Request, response: Response) => unknown,
  options: ReceiveOptions = {},
): (request: Request, response: Response, next: (error?: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { headers } = request;
      const body = (maxBytes: number) => rawBodyOf(request, maxBytes, ADVICE);
      const received = await receive({ headers, body, secrets: () => secretsFor(secrets, request) }, options);
      if (!received.event) return refuse(response, received);
      await handler(received.event, request, response);
      if (response.headersSent) return;
      response.statusCode = 204;
      response.end();
    } catch (error) {
      next(error);
    }
  };
}
