import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { CustomFetchOptions } from 'openid-client';
import type undici from 'undici';
import { checkedLookUp, requireAllowedHost } from '../../../api/outbound/checked-look-up.js';
import { hostOf, LookUps } from '../../../api/outbound/look-ups.js';
import { isAddressIn } from '../../../kernel/addresses.js';
import { FairShare } from '../../../kernel/fair-share.js';
import { Settings } from '../../../kernel/settings/settings.js';

const TIMEOUT_MS = 5000;
const ANSWER_MAX_BYTES = 256 * 1024;
/** Look-ups of host names of identity providers share one thread. */
const OWNER = 'identity providers';
const AT_ONCE = 16;
const AT_ONCE_PER_HOST = 4;
/** `Response` takes no body with these. */
const WITHOUT_BODY = [204, 205, 304];

/** Why an identity provider did not answer. */
export class ProviderSilent extends Error {}

/**
 * Requests to identity providers, whose addresses organizations chose. Like deliveries of webhooks: the name is resolved once, all its
 * addresses are checked, and the connection goes to one of these. Follows no redirects, uses no proxy and verifies TLS.
 */
@Injectable()
export class ProviderRequests implements OnApplicationShutdown {
  private client: Promise<{ request: typeof undici.request; agent: undici.Agent }> | undefined;
  private readonly connections = new FairShare({
    what: 'Requests to identity providers',
    capacity: AT_ONCE,
    share: AT_ONCE_PER_HOST,
    maxWaiting: 20,
    maxWaitMs: TIMEOUT_MS,
  });

  constructor(
    private readonly settings: Settings,
    private readonly lookUps: LookUps,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await (await this.client)?.agent.destroy();
  }

  /** Whether requests may go there at all: https, or an address that the operator has allowed. */
  isAllowed(url: string): boolean {
    return new URL(url).protocol === 'https:' || isAddressIn(hostOf(url), this.settings.identityProviderAllowedNetworks);
  }

  /** Such as the library takes it in the place of `fetch`. */
  readonly fetch = async (url: string, { method, headers, body }: CustomFetchOptions): Promise<Response> => {
    const giveBack = await this.connections.take(new URL(url).host).catch((cause: unknown) => {
      throw new ProviderSilent('too many requests to it are under way', { cause });
    });
    try {
      if (!this.isAllowed(url)) throw new ProviderSilent('one of its addresses does not begin with https://');
      requireAllowedHost(url, this.settings.identityProviderAllowedNetworks);
      return await this.request(url, { method: method as 'GET', headers, body: textOf(body) });
    } catch (error) {
      throw error instanceof ProviderSilent ? error : silent(error);
    } finally {
      giveBack();
    }
  };

  private async request(url: string, options: { method: 'GET'; headers: Record<string, string>; body: string | null }): Promise<Response> {
    const { request, agent } = await (this.client ??= this.load());
    // For all of it: a server that sends a byte now and then is not waited for.
    const answer = await request(url, { ...options, dispatcher: agent, signal: AbortSignal.timeout(TIMEOUT_MS) });
    try {
      const text = await readText(answer.body);
      const type = String(answer.headers['content-type'] ?? '');
      const status = answer.statusCode;
      return new Response(WITHOUT_BODY.includes(status) ? null : text, { status, headers: { 'Content-Type': type } });
    } finally {
      answer.body.on('error', () => undefined).destroy();
    }
  }

  /** Other processes need not wait for the library. */
  private async load() {
    const { Agent, request } = await import('undici');
    const lookup = checkedLookUp(this.lookUps, OWNER, this.settings.identityProviderAllowedNetworks);
    return { request, agent: new Agent({ connect: { timeout: TIMEOUT_MS, lookup }, keepAliveTimeout: 1, pipelining: 1 }) };
  }
}

/** The library sends forms, or nothing. */
const textOf = (body: unknown): string | null => (body instanceof URLSearchParams ? body.toString() : null);

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_MAX_BYTES) throw new ProviderSilent(`its answer is larger than ${ANSWER_MAX_BYTES / 1024} KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function silent(error: unknown): ProviderSilent {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: { code?: string } };
  if (code === 'TARGET_NOT_ALLOWED' || cause?.code === 'TARGET_NOT_ALLOWED') return new ProviderSilent('its address is not public');
  if (name === 'TimeoutError') return new ProviderSilent(`it takes longer than ${TIMEOUT_MS / 1000} seconds`);
  return new ProviderSilent('its server cannot be reached', { cause: error });
}
