import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type undici from 'undici';
import { checkedLookUp, requireAllowedHost } from '../../../api/outbound/checked-look-up.js';
import { LookUps } from '../../../api/outbound/look-ups.js';
import { API_VERSION } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { Implements, WarmUp } from '../../../store/discovery/ports.js';
import { READ_FOR_EXCERPT } from './answer-excerpt.js';

export interface Outgoing {
  /** Whose request it is: names are looked up at its expense. */
  readonly organizationId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why an attempt failed. */
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
export interface Outcome {
  readonly status: number | null;
  /** How the body of the answer begins; undefined without an answer. */
  readonly start?: Buffer;
  readonly isLonger?: boolean;
  readonly errorCode: (typeof SEND_ERRORS)[number] | null;
  readonly retryAfter?: string;
  readonly durationMs: number;
}

const CONNECT_MS = 5000;
const KEEP_ALIVE_MS = 30_000;
/** Organizations whose connections are kept. Those of the one that was not used for the longest time are closed. */
const MAX_AGENTS = 1000;
/** A response body is read up to here, so that the connection can be reused. After more the connection is closed. */
const MAX_BODY_BYTES = 64 * 1024;

/** The headers of every request. */
export const FIXED_HEADERS = { 'content-type': 'application/json', 'user-agent': `Claims-API-Webhooks/${API_VERSION}` };

/**
 * Posts to URLs that tenants chose, so it guards against requests to our own network (SSRF): the host name is resolved once, all
 * its addresses are checked, and the connection goes to one of these. Follows no redirects, uses no proxy and verifies TLS.
 */
@Implements(WarmUp)
@Injectable()
export class Sender implements OnApplicationShutdown, WarmUp {
  private client: Promise<typeof undici> | undefined;
  /** The connections of each organization. */
  private readonly agents = new LRUCache<string, undici.Agent>({ max: MAX_AGENTS, dispose: (agent) => void agent.close() });
  private readonly allowed: readonly string[];

  constructor(
    private readonly settings: Settings,
    private readonly lookUps: LookUps,
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
  private load(): Promise<typeof undici> {
    return (this.client ??= import('undici'));
  }

  async send({ organizationId, url, headers, body }: Outgoing): Promise<Outcome> {
    const start = performance.now();
    const ended = (outcome: Omit<Outcome, 'durationMs'>): Outcome => ({ ...outcome, durationMs: Math.round(performance.now() - start) });
    try {
      requireAllowedHost(url, this.allowed);
      const client = await this.load();
      const signal = AbortSignal.timeout(this.settings.webhookTimeoutMs);
      const response = await client.request(url, {
        method: 'POST',
        headers: { ...FIXED_HEADERS, ...headers },
        body,
        dispatcher: this.agentOf(organizationId, client),
        signal,
      });
      const read = await readBody(response.body);
      const ok = response.statusCode >= 200 && response.statusCode < 300;
      const retryAfter = response.headers['retry-after'];
      return ended({
        status: response.statusCode,
        errorCode: ok ? null : 'http_error',
        ...read,
        ...(typeof retryAfter === 'string' && { retryAfter }),
      });
    } catch (error) {
      return ended({ status: null, errorCode: errorCodeOf(error) });
    }
  }

  private agentOf(organizationId: string, { Agent }: typeof undici): undici.Agent {
    const known = this.agents.get(organizationId);
    if (known) return known;
    const connect = { timeout: CONNECT_MS, lookup: checkedLookUp(this.lookUps, organizationId, this.allowed) };
    const agent = new Agent({ connect, keepAliveTimeout: KEEP_ALIVE_MS, pipelining: 1 });
    this.agents.set(organizationId, agent);
    return agent;
  }
}

/** Reads the body up to the limit, and returns how it begins. Ignores any error: the status has decided the outcome already. */
async function readBody(body: AsyncIterable<Buffer>): Promise<Required<Pick<Outcome, 'start' | 'isLonger'>>> {
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of body) {
      if (read < READ_FOR_EXCERPT) chunks.push(chunk);
      read += chunk.length;
      if (read > MAX_BODY_BYTES) break;
    }
  } catch {
    // The receiver closed the connection, or our timeout ended it.
  }
  return { start: Buffer.concat(chunks).subarray(0, READ_FOR_EXCERPT), isLonger: read > READ_FOR_EXCERPT };
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
