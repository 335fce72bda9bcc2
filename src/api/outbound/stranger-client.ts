import { isIP } from 'node:net';
import type undici from 'undici';
import { isAddressIn, isForbidden, isListedHost } from '../../kernel/addresses.js';
import { FairShare } from '../../kernel/fair-share.js';
import { checkedLookUp, hostOf, requireAllowedHost, type LookUps } from './look-ups.js';

const TIMEOUT_MS = 5000;
const URL_MAX = 1000;
const AT_ONCE = 16;
const AT_ONCE_PER_HOST = 4;
export const TIMEOUT_SECONDS = TIMEOUT_MS / 1000;

export type NoAnswerReason = 'busy' | 'not_public' | 'slow' | 'too_large' | 'unreachable';

class NoAnswer extends Error {
  constructor(
    readonly reason: NoAnswerReason,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}

interface StrangerClientOptions {
  /** What is asked for, for the log. */
  readonly what: string;
  /** Look-ups of host names of this owner share one thread: the deliveries of organizations keep theirs. */
  readonly owner: string;
  readonly lookUps: LookUps;
  /** Networks that are not public, and still allowed. */
  readonly allowed: readonly string[];
}

/** The name is resolved once, all its addresses are checked, and one of these is connected to. No redirects, no proxy; TLS is verified. */
export class StrangerClient {
  private client: Promise<{ request: typeof undici.request; agent: undici.Agent }> | undefined;
  private readonly connections: FairShare;

  constructor(private readonly options: StrangerClientOptions) {
    const { what } = options;
    this.connections = new FairShare({ what, capacity: AT_ONCE, share: AT_ONCE_PER_HOST, maxWaiting: 20, maxWaitMs: TIMEOUT_MS });
  }

  async close(): Promise<void> {
    await (await this.client)?.agent.destroy();
  }

  /** What `read` makes of the answer. Its body is not read further after that. */
  async request<T>(
    url: string,
    options: Parameters<typeof undici.request>[1],
    read: (answer: undici.Dispatcher.ResponseData<unknown>) => Promise<T>,
  ): Promise<T> {
    const giveBack = await this.connections.take(new URL(url).host).catch((error: unknown) => {
      throw new NoAnswer('busy', error);
    });
    try {
      requireAllowedHost(url, this.options.allowed, this.options.lookUps);
      const { request, agent } = await (this.client ??= this.load());
      // For all of it: a server that sends a byte now and then is not waited for.
      const answer = await request(url, { ...options, dispatcher: agent, signal: AbortSignal.timeout(TIMEOUT_MS) });
      try {
        return await read(answer);
      } finally {
        answer.body.on('error', () => undefined).destroy();
      }
    } finally {
      giveBack();
    }
  }

  /** Other processes need not wait for the library. Connections are not kept: hosts are asked once in minutes. */
  private async load() {
    const { Agent, request } = await import('undici');
    const lookup = checkedLookUp(this.options.lookUps, this.options.owner, this.options.allowed);
    return { request, agent: new Agent({ connect: { timeout: TIMEOUT_MS, lookup }, keepAliveTimeout: 1, pipelining: 1 }) };
  }
}

/** Undefined unless it is https, without credentials and fragment, and can be public. Networks that are allowed may be plain, too. */
export function addressIn(text: string, allowed: readonly string[], hosts: readonly string[]): URL | undefined {
  if (!URL.canParse(text) || text.length > URL_MAX) return undefined;
  const url = new URL(text);
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isAddressIn(url.hostname, allowed));
  const isPrivate = isIP(hostOf(text)) !== 0 && isForbidden(hostOf(text), allowed);
  return isSecure && !isPrivate && isListedHost(hostOf(text), hosts) && url.username + url.password + url.hash === '' ? url : undefined;
}

export async function textWithin(maxBytes: number, body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new NoAnswer('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function reasonOfNoAnswer(error: unknown): NoAnswerReason {
  if (error instanceof NoAnswer) return error.reason;
  const { name, code, cause } = error as { name?: string; code?: string; cause?: { code?: string } };
  if (code === 'TARGET_NOT_ALLOWED' || cause?.code === 'TARGET_NOT_ALLOWED') return 'not_public';
  return name === 'TimeoutError' ? 'slow' : 'unreachable';
}
