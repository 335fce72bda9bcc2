import { isIP, type LookupFunction } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { API_VERSION } from '../../../kernel/product.js';
import { Settings } from '../../../kernel/settings/settings.js';
import { isForbidden } from '../targets/forbidden-addresses.js';
import { lookUp } from '../targets/look-up.js';
import { hostOf } from '../targets/target-url.js';

export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How an attempt ended. An answer of any status is an answer; all else is an error with a code. */
export interface Outcome {
  readonly status: number | null;
  readonly errorCode: 'http_error' | 'timeout' | 'connection_failed' | 'name_not_resolved' | 'tls_failed' | 'target_not_allowed' | null;
  readonly retryAfter?: string;
  readonly durationMs: number;
}

const CONNECT_MS = 5000;
/** Enough to let a connection be used again after a usual answer; who says more is hung up on. */
const READ_AT_MOST = 64 * 1024;

class TargetNotAllowed extends Error {
  readonly code = 'TARGET_NOT_ALLOWED';
}

/**
 * Posts to addresses that others chose. Every connection goes to an address that was looked at: the name is resolved once, by
 * us, and what was found and checked is what is connected to. No redirect is followed, no proxy asked, TLS is verified.
 */
@Injectable()
export class Sender implements OnApplicationShutdown {
  private client: ReturnType<typeof this.loadClient> | undefined;
  private readonly allowed: readonly string[];

  constructor(private readonly settings: Settings) {
    this.allowed = settings.webhookAllowedNetworks;
  }

  async onApplicationShutdown(): Promise<void> {
    await (await this.client)?.agent.destroy();
  }

  async send({ url, headers, body }: Outgoing): Promise<Outcome> {
    const start = performance.now();
    const ended = (outcome: Omit<Outcome, 'durationMs'>): Outcome => ({ ...outcome, durationMs: Math.round(performance.now() - start) });
    try {
      const host = hostOf(url);
      // An address needs no look-up, so the look-up that checks would not be asked.
      if (isIP(host) && isForbidden(host, this.allowed)) throw new TargetNotAllowed();
      const signal = AbortSignal.timeout(this.settings.webhookTimeoutMs);
      const { agent, request } = await (this.client ??= this.loadClient());
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': `Claims-API-Webhooks/${API_VERSION}`, ...headers },
        body,
        dispatcher: agent,
        signal,
      });
      await readSome(answer.body);
      const ok = answer.statusCode >= 200 && answer.statusCode < 300;
      const retryAfter = answer.headers['retry-after'];
      return ended({
        status: answer.statusCode,
        errorCode: ok ? null : 'http_error',
        ...(typeof retryAfter === 'string' && { retryAfter }),
      });
    } catch (error) {
      return ended({ status: null, errorCode: errorCodeOf(error) });
    }
  }

  /** Loaded with the first delivery: other processes need not wait for the library. */
  private async loadClient() {
    const { Agent, request } = await import('undici');
    const connect = { timeout: CONNECT_MS, lookup: this.checkedLookup };
    return { request, agent: new Agent({ connect, keepAliveTimeout: 30_000, pipelining: 1 }) };
  }

  private readonly checkedLookup: LookupFunction = (hostname, options, callback) => {
    lookUp(hostname).then(
      (addresses) => {
        if (addresses.length === 0 || addresses.some(({ address }) => isForbidden(address, this.allowed)))
          return callback(new TargetNotAllowed(), []);
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** Reads what there is, so that the connection can be used again, but not more than a little. The status has been said, so nothing here matters. */
async function readSome(body: AsyncIterable<Buffer>): Promise<void> {
  let read = 0;
  try {
    for await (const chunk of body) {
      read += chunk.length;
      if (read > READ_AT_MOST) return;
    }
  } catch {
    // It was cut off, by the receiver or by our own patience.
  }
}

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];

function errorCodeOf(error: unknown): Outcome['errorCode'] {
  const { name, code = '', cause } = error as { name?: string; code?: string; cause?: { code?: string } };
  if (name === 'TimeoutError' || TIMEOUTS.includes(code)) return 'timeout';
  const codes = [code, cause?.code ?? ''];
  if (codes.includes('TARGET_NOT_ALLOWED')) return 'target_not_allowed';
  if (codes.some((found) => found === 'ENOTFOUND' || found === 'EAI_AGAIN')) return 'name_not_resolved';
  return codes.some((found) => /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(found))
    ? 'tls_failed'
    : 'connection_failed';
}
