import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type undici from 'undici';
import { checkedLookUp, requireAllowedHost } from '../../../../api/outbound/checked-look-up.js';
import { LookUps } from '../../../../api/outbound/look-ups.js';
import { FairShare } from '../../../../kernel/fair-share.js';
import { Settings } from '../../../../kernel/settings/settings.js';

const TIMEOUT_MS = 5000;
export const DOCUMENT_MAX_BYTES = 16 * 1024;
/** Look-ups of host names for documents share one thread: the deliveries of organizations keep theirs. */
const OWNER = 'metadata documents';
const AT_ONCE = 16;
const AT_ONCE_PER_HOST = 4;

export interface Fetched {
  readonly text: string;
  /** How long it may be kept, as its server says. */
  readonly maxAgeSeconds: number | undefined;
}

/** Why there is no document. `isTemporary`: its server did not answer, or not as it should at the moment. */
export class DocumentNotFetched extends Error {
  constructor(
    message: string,
    readonly isTemporary: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Fetches documents from addresses that strangers chose. Like deliveries of webhooks: the name is resolved once, all its addresses
 * are checked, and the connection goes to one of these. Follows no redirects, uses no proxy and verifies TLS.
 */
@Injectable()
export class DocumentFetcher implements OnApplicationShutdown {
  private client: Promise<{ request: typeof undici.request; agent: undici.Agent }> | undefined;
  private readonly connections = new FairShare({
    what: 'Metadata documents',
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

  async fetch(url: string): Promise<Fetched> {
    const giveBack = await this.connections.take(new URL(url).host).catch((error: unknown) => {
      throw new DocumentNotFetched('too many documents of its host are being fetched', true, error);
    });
    try {
      requireAllowedHost(url, this.settings.clientDocumentAllowedNetworks);
      return await this.request(url);
    } catch (error) {
      throw error instanceof DocumentNotFetched ? error : notFetched(error);
    } finally {
      giveBack();
    }
  }

  private async request(url: string): Promise<Fetched> {
    const { request, agent } = await (this.client ??= this.load());
    // For all of it: a server that sends a byte now and then is not waited for.
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { statusCode, headers, body } = await request(url, { dispatcher: agent, signal, headers: { accept: 'application/json' } });
    try {
      if (statusCode !== 200) throw new DocumentNotFetched(`its address answers with status ${statusCode}`, statusCode >= 500);
      if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(String(headers['content-type'] ?? '')))
        throw new DocumentNotFetched('it is not served as application/json', false);
      return { text: await readText(body), maxAgeSeconds: maxAgeOf(headers['cache-control']) };
    } finally {
      body.on('error', () => undefined).destroy();
    }
  }

  /** Other processes need not wait for the library. Connections are not kept: a document is fetched once in minutes. */
  private async load() {
    const { Agent, request } = await import('undici');
    const lookup = checkedLookUp(this.lookUps, OWNER, this.settings.clientDocumentAllowedNetworks);
    return { request, agent: new Agent({ connect: { timeout: TIMEOUT_MS, lookup }, keepAliveTimeout: 1, pipelining: 1 }) };
  }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > DOCUMENT_MAX_BYTES) throw new DocumentNotFetched(`it is larger than ${DOCUMENT_MAX_BYTES / 1024} KiB`, false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function maxAgeOf(cacheControl: string | string[] | undefined): number | undefined {
  const [, seconds] = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})\b/i.exec(String(cacheControl ?? '')) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}

function notFetched(error: unknown): DocumentNotFetched {
  const { name, code, cause } = error as { name?: string; code?: string; cause?: { code?: string } };
  if (code === 'TARGET_NOT_ALLOWED' || cause?.code === 'TARGET_NOT_ALLOWED')
    return new DocumentNotFetched('its address is not public', false, error);
  const isSlow = name === 'TimeoutError';
  return new DocumentNotFetched(
    isSlow ? `its server takes longer than ${TIMEOUT_MS / 1000} seconds` : 'its server cannot be reached',
    true,
    error,
  );
}
