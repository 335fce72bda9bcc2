import type { ClaimsEvent } from '../generated-types.js';
import { WebhookError } from '../webhooks.js';
import { Chunks, receive, type ReceiveOptions, type Secrets, secretsFor } from './receive.js';

/** What a handler may answer; 204 otherwise. */
export type Answer = Response | undefined | void;

/** The raw body of a request of Fetch. `advice`: what to change if something has read it. */
export async function read(request: Request, maxBytes: number, advice: string): Promise<Uint8Array> {
  if (request.bodyUsed) throw new WebhookError('parsed_body', `The signature is that of the raw body, which was read before. ${advice}`);
  const chunks = new Chunks(maxBytes, request.headers.get('content-length'));
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader!.read()) chunks.add(next.value);
  return chunks.bytes();
}

interface Incoming<Context extends readonly unknown[]> {
  readonly request: Request;
  readonly context: Context;
  readonly body: (maxBytes: number) => Promise<unknown>;
}

/** The answer to a request of Fetch. */
export async function answerTo<Context extends readonly unknown[]>(
  { request: { headers }, context, body }: Incoming<Context>,
  secrets: Secrets<Context>,
  handler: (event: ClaimsEvent, ...context: Context) => Answer | Promise<Answer>,
  options: ReceiveOptions,
): Promise<Response> {
  const received = await receive({ headers, body, secrets: () => secretsFor(secrets, ...context) }, options);
  if (!received.event) return new Response(received.text, { status: received.status });
  return (await handler(received.event, ...context)) ?? new Response(null, { status: 204 });
}
