import { call as send, reasonOf } from './call.js';
import { print } from './options.js';

/** An event as the request that delivers it. */
export interface Forwarded {
  readonly id: string;
  readonly kind: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TIMEOUT_MS = 15_000;

/** Posts events to a URL and prints how each was answered. One at a time, to keep their order. */
export async function forwardAll(
  events: AsyncIterable<Forwarded>,
  options: { readonly forwardTo: string; readonly json?: boolean },
  stop: AbortSignal,
): Promise<void> {
  for await (const event of events) {
    const { status, error } = await forward(event, options.forwardTo, stop);
    if (stop.aborted) return;
    print(options, { id: event.id, kind: event.kind, responseStatus: status, error }, [
      `${event.kind}  ${event.id}  ${status ?? `FAILED: ${error}`}`,
    ]);
  }
}

/** Does not use the sender of deliveries, which refuses this machine. */
async function forward(
  { headers, body }: Forwarded,
  url: string,
  stop: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const call = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      timeoutMs: TIMEOUT_MS,
      stop,
    } as const;
    return await send(url, call, (answer) => {
      answer.destroy();
      return { status: answer.statusCode ?? null, error: null };
    });
  } catch (error) {
    return { status: null, error: reasonOf(error) };
  }
}
