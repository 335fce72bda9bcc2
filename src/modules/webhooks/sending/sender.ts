import { type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type undici from 'undici';
import { atMost } from '../../../kernel/bounded.js';
import { getOrCreate } from '../../../kernel/get-or-create.js';
import { checkedLookUp, requireAllowedHost, LookUps } from '../../../api/outbound/look-ups.js';
import { API_VERSION } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Implements, WarmUp } from '../../../store/discovery/ports.js';
import { Tracing } from '../../../store/tracing/tracing.js';
import { type Answer, Exchange } from './exchange.js';

export interface Outgoing {
  /** Whose request it is: names are looked up at its expense. */
  readonly organizationId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of the request that caused the event, if that was traced. */
  readonly traceparent?: string | null | undefined;
}

export const SEND_ERRORS = [
  'http_error',
  'timeout',
  'connection_failed',
  'malformed_answer',
  'name_not_resolved',
  'tls_failed',
  'target_not_allowed',
] as const;

/** How an attempt ended: with an HTTP status, or with the code of the error. */
export interface Outcome extends Partial<Omit<Answer, 'status'>> {
  readonly status: number | null;
  readonly errorCode: (typeof SEND_ERRORS)[number] | null;
  readonly durationMs: number;
}

const CONNECT_MS = 5000;
const KEEP_ALIVE_MS = 30_000;
/** Organizations whose connections are kept. Those of the one that was not used for the longest time are closed. */
const MAX_AGENTS = 1000;
/** URLs whose parts are kept. */
const MAX_TARGETS = 1000;
export const FIXED_HEADERS = { 'content-type': 'application/json', 'user-agent': `Claims-API-Webhooks/${API_VERSION}` };

/**
 * Posts to URLs that tenants chose, so it guards against requests to our own network (SSRF): the host name is resolved once, all
 * its addresses are checked, and the connection goes to one of these. Follows no redirects, uses no proxy and verifies TLS.
 */
@Implements(WarmUp)
export class Sender implements OnApplicationShutdown, WarmUp {
  private client: typeof undici | undefined;
  private readonly agents = new LRUCache<string, undici.Agent>({ ...atMost(MAX_AGENTS), dispose: (agent) => void agent.close() });
  private readonly targets = new LRUCache<string, { readonly origin: string; readonly path: string }>(atMost(MAX_TARGETS));
  private readonly allowed: readonly string[];

  constructor(
    private readonly settings: Settings,
    private readonly lookUps: LookUps,
    private readonly tracing: Tracing,
  ) {
    this.allowed = settings.webhookAllowedNetworks;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }

  async warmUp(): Promise<void> {
    if (this.settings.role !== 'api') await this.load();
  }

  /** Other processes need not wait for the library. */
  private async load(): Promise<typeof undici> {
    return (this.client = await import('undici'));
  }

  /** The request of a delivery that belongs to a trace is a part of it, and tells the receiver so. */
  async send({ traceparent, ...outgoing }: Outgoing): Promise<Outcome> {
    if (!traceparent) return this.post(outgoing);
    const trace = this.tracing.begin({ name: 'POST', kind: 'client', traceparent });
    const outcome = await this.post({ ...outgoing, headers: { ...outgoing.headers, traceparent: trace?.traceparent ?? traceparent } });
    const { status, errorCode } = outcome;
    const answered = status !== null && { 'http.response.status_code': status };
    const failed = errorCode !== null && { 'error.type': status === null ? errorCode : String(status) };
    trace?.end({ isError: errorCode !== null, attributes: { 'http.request.method': 'POST', ...answered, ...failed } });
    return outcome;
  }

  private async post({ organizationId, url, headers, body }: Outgoing): Promise<Outcome> {
    const begin = performance.now();
    const durationMs = (): number => Math.round(performance.now() - begin);
    try {
      const { origin, path } = this.targetOf(url);
      const dispatcher = this.agentOf(organizationId, this.client ?? (await this.load()));
      const request = { origin, path, method: 'POST' as const, headers: { ...FIXED_HEADERS, ...headers }, body };
      const answer = await Exchange.send(dispatcher, request, this.settings.webhookTimeoutMs);
      return { ...answer, errorCode: answer.status < 300 ? null : 'http_error', durationMs: durationMs() };
    } catch (error) {
      return { status: null, errorCode: errorCodeOf(error), durationMs: durationMs() };
    }
  }

  /** Checks an address that stands in the URL. Those of a name are checked when a connection is made. */
  private targetOf(url: string): { readonly origin: string; readonly path: string } {
    return getOrCreate(this.targets, url, () => {
      requireAllowedHost(url, this.allowed, this.lookUps);
      const { origin, pathname, search } = new URL(url);
      return { origin, path: pathname + search };
    });
  }

  private agentOf(organizationId: string, { Agent }: typeof undici): undici.Agent {
    return getOrCreate(this.agents, organizationId, () => {
      // Each request has its own time limit for everything after this.
      const connect = { timeout: CONNECT_MS, lookup: checkedLookUp(this.lookUps, organizationId, this.allowed) };
      return new Agent({ connect, keepAliveTimeout: KEEP_ALIVE_MS, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
    });
  }
}

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];

function errorCodeOf(error: unknown): Outcome['errorCode'] {
  const { name, code = '', cause } = error as { name?: string; code?: string; cause?: { code?: string } };
  if (name === 'TimeoutError' || TIMEOUTS.includes(code)) return 'timeout';
  const codes = [code, cause?.code ?? ''];
  // The organization's other look-ups took too long.
  if (codes.includes('rate_limited')) return 'timeout';
  if (codes.includes('TARGET_NOT_ALLOWED')) return 'target_not_allowed';
  if (codes.some((found) => found === 'ENOTFOUND' || found === 'EAI_AGAIN')) return 'name_not_resolved';
  // What came back is not HTTP, or has more headers than are read.
  if (name === 'HTTPParserError' || codes.includes('UND_ERR_HEADERS_OVERFLOW')) return 'malformed_answer';
  return codes.some((found) => /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(found))
    ? 'tls_failed'
    : 'connection_failed';
}
