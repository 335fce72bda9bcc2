import type { ClaimsEvent } from '../generated-types.js';
import { WebhookError, Webhooks, type IncomingHeaders, type VerifyOptions } from '../webhooks.js';

/** The service sends at most 256 KiB of data in an event. */
export const BODY_MAX_BYTES = 1024 * 1024;

type Known = string | readonly string[] | undefined;

/** One secret or several, or a function that finds them, such as those of the tenant that the path names. */
export type Secrets<Request extends readonly unknown[]> = Known | ((...request: Request) => Known | Promise<Known>);

export interface ReceiveOptions extends Pick<VerifyOptions, 'toleranceSeconds'> {
  /** A larger body is answered with 413 before all of it is read; 1 MiB by default. */
  maxBytes?: number | undefined;
}

/** A request as the receivers of all frameworks see it. */
interface Incoming {
  readonly headers: IncomingHeaders;
  readonly body: (maxBytes: number) => unknown;
  readonly secrets: () => Known | Promise<Known>;
}

export interface Refusal {
  readonly event?: undefined;
  readonly status: 401 | 413;
  /** The mistake and what to do. The delivery log of the endpoint shows it. */
  readonly text: string;
}

export type Received = { readonly event: ClaimsEvent } | Refusal;

/** The event of a request, or how to refuse it. Other errors, such as those of `secrets`, are thrown. */
export async function receive(incoming: Incoming, { maxBytes = BODY_MAX_BYTES, toleranceSeconds }: ReceiveOptions): Promise<Received> {
  try {
    const body = (await incoming.body(maxBytes)) as Uint8Array;
    return { event: await Webhooks.verify(body, incoming.headers, (await incoming.secrets()) ?? [], { toleranceSeconds }) };
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    return { status: error.mistake === 'body_too_large' ? 413 : 401, text: `${error.mistake}: ${error.message}` };
  }
}

export const secretsFor = <Request extends readonly unknown[]>(secrets: Secrets<Request>, ...request: Request) =>
  typeof secrets === 'function' ? secrets(...request) : secrets;

/** A body that arrives in chunks. */
export class Chunks {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;

  /** `announced`: the Content-Length. */
  constructor(
    private readonly maxBytes: number,
    announced?: string | null,
  ) {
    this.check(Number(announced ?? 0));
  }

  add(chunk: Uint8Array): void {
    this.length += chunk.length;
    this.check(this.length);
    this.chunks.push(chunk);
  }

  /** All of them. They are joined as bytes: a chunk may end within a character. */
  bytes(): Uint8Array {
    const all = new Uint8Array(this.length);
    let place = 0;
    for (const chunk of this.chunks) {
      all.set(chunk, place);
      place += chunk.length;
    }
    return all;
  }

  private check(length: number): void {
    if (length > this.maxBytes) throw new WebhookError('body_too_large', `No delivery has more than ${this.maxBytes} bytes.`);
  }
}
