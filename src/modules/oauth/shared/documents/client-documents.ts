import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { AddressLimiter, RateLimiter } from '../../../../api/limits/rate-limiter.js';
import { hostOf, LookUps } from '../../../../api/outbound/look-ups.js';
import { reasonOfNoAnswer, StrangerClient, textWithin, TIMEOUT_SECONDS } from '../../../../api/outbound/stranger-client.js';
import type { NoAnswerReason } from '../../../../api/outbound/stranger-client.js';
import { isAddressIn } from '../../../../kernel/addresses.js';
import { isObject, parsedJson } from '../../../../kernel/json.js';
import { Problem } from '../../../../kernel/problems.js';
import { Settings } from '../../../../kernel/settings/settings.js';
import { Clock } from '../../../../kernel/time.js';
import { ClientMetadataRefused, readClientMetadata, type SharedClient } from '../../applications/client-metadata.js';

const URL_MAX_LENGTH = 1000;

export const isDocumentUrl = (clientId: string): boolean => /^https?:/i.test(clientId);

/** What is wrong with the URL of a document; undefined if nothing is. Each document has one spelling of its URL. */
export function documentUrlProblem(url: string, allowedNetworks: readonly string[]): string | undefined {
  if (url.length > URL_MAX_LENGTH) return `its URL is longer than ${URL_MAX_LENGTH} characters`;
  if (!URL.canParse(url) || new URL(url).href !== url) return 'its URL is not written in its normal form';
  const { protocol, username, password, pathname } = new URL(url);
  if (protocol !== 'https:' && !isAddressIn(hostOf(url), allowedNetworks)) return 'its URL must begin with https://';
  if (url.includes('#') || username !== '' || password !== '') return 'its URL must not have a fragment or credentials';
  return pathname === '/' ? 'its URL must have a path' : undefined;
}

function readDocument(url: string, text: string, schemes: readonly string[]): SharedClient {
  const document = parse(text);
  if (document.client_id !== url) throw refused('its client_id is not its URL');
  if ('client_secret' in document || 'client_secret_expires_at' in document) throw refused('it has a client secret, which is public now');
  const { token_endpoint_auth_method: method = 'none' } = document;
  if (method !== 'none') throw refused('its token_endpoint_auth_method is not none');
  const { host } = new URL(url);
  const { name = host, redirectUris } = readClientMetadata(document, schemes);
  return { clientId: url, name, redirectUris, host, isListed: false };
}

function parse(text: string): Record<string, unknown> {
  const refuse = (reason: string): never => {
    throw refused(reason);
  };
  const value = parsedJson(text, () => refuse('it is not JSON'));
  return isObject(value) ? value : refuse('it is not a JSON object');
}

const refused = (reason: string): ClientMetadataRefused => new ClientMetadataRefused('invalid_client_metadata', reason);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How long a document is used as it is: as its server says, within these bounds. */
const KEPT = { min: MINUTE, usual: 5 * MINUTE, max: HOUR };
/** How long a document is used after that while its server does not answer: tokens of its users go on being refreshed. */
const KEPT_WHILE_AWAY = 24 * HOUR;
/** How long it takes until a document that was refused is fetched again. */
const REFUSED_FOR = 10 * SECOND;
/** Documents remembered by a process, good ones and refusals. What was not used for the longest time is forgotten. */
const MAX_REMEMBERED = 1000;
/** Fetches from one host, for all callers together. */
const PER_HOST = { perMinute: 60, burst: 60 };

/** Why the application with this client id is unknown, for the people who sent us there. */
export class ClientDocumentRefused extends Problem {
  constructor(
    reason: string,
    readonly isTemporary: boolean,
  ) {
    super('bad_request', { detail: `The metadata document of the application cannot be used: ${reason}.` });
  }
}

interface Remembered {
  readonly client: SharedClient | undefined;
  readonly refusal: ClientDocumentRefused | undefined;
  /** When it is fetched again. */
  readonly until: number;
  /** Until when it is used while its server does not answer. */
  readonly usableUntil: number;
}

@Injectable()
export class DocumentFetcher implements OnApplicationShutdown {
  private readonly client: StrangerClient;

  constructor(settings: Settings, lookUps: LookUps) {
    const allowed = settings.clientDocumentAllowedNetworks;
    this.client = new StrangerClient({ what: 'Metadata documents', owner: 'metadata documents', lookUps, allowed });
  }

  onApplicationShutdown(): Promise<void> {
    return this.client.close();
  }

  async fetch(url: string): Promise<Fetched> {
    try {
      return await this.client.request(url, { headers: { accept: 'application/json' } }, documentIn);
    } catch (error) {
      throw error instanceof DocumentNotFetched ? error : new DocumentNotFetched(...REASONS[reasonOfNoAnswer(error)], error);
    }
  }
}

/** Client ID Metadata Documents. Anyone can make us fetch one: fetches are limited by caller and host, and what was found is remembered. */
@Injectable()
export class ClientDocuments {
  private readonly remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  private readonly pending = new Map<string, Promise<Remembered>>();

  constructor(
    private readonly settings: Settings,
    private readonly fetcher: DocumentFetcher,
    private readonly addresses: AddressLimiter,
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  async find(url: string, callerAddress: string): Promise<SharedClient> {
    const problem = documentUrlProblem(url, this.settings.clientDocumentAllowedNetworks);
    if (problem !== undefined) throw new ClientDocumentRefused(problem, false);
    const known = this.remembered.get(url);
    const { client, refusal } = known && this.now < known.until ? known : await this.look(url, callerAddress);
    if (client) return client;
    throw refusal!;
  }

  private get now(): number {
    return this.clock.now().getTime();
  }

  /** Concurrent calls for one document share its fetch. */
  private async look(url: string, callerAddress: string): Promise<Remembered> {
    const shared = this.pending.get(url);
    if (shared) return shared;
    const refusal = await this.limited(url, callerAddress);
    const known = this.remembered.get(url);
    // A caller who is refused must not keep others from what is known.
    if (refusal) return known?.client ? known : { client: undefined, refusal, until: 0, usableUntil: 0 };
    const started = this.pending.get(url) ?? this.fetch(url, known).finally(() => this.pending.delete(url));
    this.pending.set(url, started);
    return started;
  }

  private async limited(url: string, callerAddress: string): Promise<ClientDocumentRefused | undefined> {
    if (await this.addresses.findRefusal('clientDocuments', callerAddress))
      return new ClientDocumentRefused('too many documents were asked for from this address; try again in a minute', true);
    const { allowed } = await this.limiter.take(`client-documents:${new URL(url).host}`, PER_HOST);
    return allowed ? undefined : new ClientDocumentRefused('too many documents of its host were asked for; try again in a minute', true);
  }

  private async fetch(url: string, known: Remembered | undefined): Promise<Remembered> {
    const found = await this.read(url, known);
    this.remembered.set(url, found);
    return found;
  }

  private async read(url: string, known: Remembered | undefined): Promise<Remembered> {
    try {
      const { text, maxAgeSeconds } = await this.fetcher.fetch(url);
      const client = readDocument(url, text, this.settings.redirectSchemes);
      const keptFor = maxAgeSeconds === undefined ? KEPT.usual : Math.min(KEPT.max, Math.max(KEPT.min, maxAgeSeconds * SECOND));
      const until = this.now + keptFor;
      return { client, refusal: undefined, until, usableUntil: until + KEPT_WHILE_AWAY };
    } catch (error) {
      if (!(error instanceof DocumentNotFetched || error instanceof ClientMetadataRefused)) throw error;
      const isTemporary = error instanceof DocumentNotFetched && error.isTemporary;
      const until = this.now + REFUSED_FOR;
      if (isTemporary && known?.client && this.now < known.usableUntil) return { ...known, until };
      return { client: undefined, refusal: new ClientDocumentRefused(error.message, isTemporary), until, usableUntil: 0 };
    }
  }
}

export const DOCUMENT_MAX_BYTES = 16 * 1024;

interface Fetched {
  readonly text: string;
  readonly maxAgeSeconds: number | undefined;
}

/** Why there is no document. `isTemporary`: its server did not answer, or not as it should at the moment. */
class DocumentNotFetched extends Error {
  constructor(
    message: string,
    readonly isTemporary: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

const REASONS: Readonly<Record<NoAnswerReason, readonly [message: string, isTemporary: boolean]>> = {
  busy: ['too many documents of its host are being fetched', true],
  not_public: ['its address is not public', false],
  slow: [`its server takes longer than ${TIMEOUT_SECONDS} seconds`, true],
  too_large: [`it is larger than ${DOCUMENT_MAX_BYTES / 1024} KiB`, false],
  unreachable: ['its server cannot be reached', true],
};

async function documentIn({ statusCode, headers, body }: Dispatcher.ResponseData<unknown>): Promise<Fetched> {
  if (statusCode !== 200) throw new DocumentNotFetched(`its address answers with status ${statusCode}`, statusCode >= 500);
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(String(headers['content-type'] ?? '')))
    throw new DocumentNotFetched('it is not served as application/json', false);
  return { text: await textWithin(DOCUMENT_MAX_BYTES, body), maxAgeSeconds: maxAgeOf(headers['cache-control']) };
}

function maxAgeOf(cacheControl: string | string[] | undefined): number | undefined {
  const [, seconds] = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})\b/i.exec(String(cacheControl ?? '')) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
