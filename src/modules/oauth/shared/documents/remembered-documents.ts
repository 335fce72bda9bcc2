import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import { atMost } from '../../../../kernel/bounded.js';
import { AddressLimiter, RateLimiter } from '../../../../api/limits/rate-limiter.js';
import { hostOf, LookUps } from '../../../../api/outbound/look-ups.js';
import { reasonOfNoAnswer, StrangerClient, textWithin, TIMEOUT_SECONDS } from '../../../../api/outbound/stranger-client.js';
import type { NoAnswerReason } from '../../../../api/outbound/stranger-client.js';
import { isAddressIn } from '../../../../kernel/addresses.js';
import { Problem } from '../../../../kernel/problems.js';
import { Settings } from '../../../../kernel/settings/settings.js';
import { Clock } from '../../../../kernel/time.js';
import { ClientMetadataRefused } from '../../applications/client-metadata.js';

const URL_MAX_LENGTH = 1000;

/** What is wrong with the URL of a document; undefined if nothing is. Each document has one spelling of its URL. */
export function documentUrlProblem(url: string, allowedNetworks: readonly string[]): string | undefined {
  if (url.length > URL_MAX_LENGTH) return `its URL is longer than ${URL_MAX_LENGTH} characters`;
  if (!URL.canParse(url) || new URL(url).href !== url) return 'its URL is not written in its normal form';
  const { protocol, username, password, pathname } = new URL(url);
  if (protocol !== 'https:' && !isAddressIn(hostOf(url), allowedNetworks)) return 'its URL must begin with https://';
  if (url.includes('#') || username !== '' || password !== '') return 'its URL must not have a fragment or credentials';
  return pathname === '/' ? 'its URL must have a path' : undefined;
}

const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** How long it takes until a document that was refused, or that lacks what a caller needs, is fetched again. */
const FETCHED_AGAIN_AFTER = 10 * SECOND;
/** Documents remembered by a process, good ones and refusals. What was not used for the longest time is forgotten. */
const MAX_REMEMBERED = 1000;
/** Fetches from one host, for all callers together. */
const PER_HOST = { perMinute: 60, burst: 60 };

/** Why the application with this client id is unknown, for the people who sent us there. */
export class ClientDocumentRefused extends Problem {
  constructor(
    what: string,
    reason: string,
    readonly isTemporary: boolean,
  ) {
    super('bad_request', { detail: `The ${what} of the application cannot be used: ${reason}.` });
  }
}

/** For what reads a document. */
export function refuse(reason: string): never {
  throw new ClientMetadataRefused('invalid_client_metadata', reason);
}

interface Remembered<T> {
  readonly content: T | undefined;
  readonly refusal: ClientDocumentRefused | undefined;
  readonly fetchedAt: number;
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

/** What applications publish. Anyone can make us fetch it: fetches are limited by caller and host, and what was found is remembered. */
@Injectable()
export abstract class RememberedDocuments<T> {
  /** What they are, in a refusal. */
  protected abstract readonly what: string;
  /**
   * How long one is used as it is: as its server says, for a minute at least and not for longer than `most`. While its server does not
   * answer, it is used for that much longer.
   */
  protected abstract readonly kept: { readonly usual: number; readonly most: number; readonly whileAway: number };
  private readonly remembered = new LRUCache<string, Remembered<T>>(atMost(MAX_REMEMBERED));
  private readonly pending = new Map<string, Promise<Remembered<T>>>();

  constructor(
    protected readonly settings: Settings,
    private readonly fetcher: DocumentFetcher,
    private readonly addresses: AddressLimiter,
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
  ) {}

  /** Throws `ClientMetadataRefused`. */
  protected abstract read(url: string, text: string): T;

  /** `isEnough`: whether what is remembered has what the caller needs. If not, it is fetched before its time. */
  async find(url: string, callerAddress: string, isEnough: (content: T) => boolean = () => true): Promise<T> {
    const problem = documentUrlProblem(url, this.settings.clientDocumentAllowedNetworks);
    if (problem !== undefined) throw this.refused(problem, false);
    const known = this.remembered.get(url);
    const { content, refusal } = known && this.isGood(known, isEnough) ? known : await this.look(url, callerAddress);
    if (content) return content;
    throw refusal!;
  }

  private isGood({ content, fetchedAt, until }: Remembered<T>, isEnough: (content: T) => boolean): boolean {
    const mayBeFetched = this.now >= fetchedAt + FETCHED_AGAIN_AFTER;
    return this.now < until && (content === undefined || !mayBeFetched || isEnough(content));
  }

  private refused(reason: string, isTemporary: boolean): ClientDocumentRefused {
    return new ClientDocumentRefused(this.what, reason, isTemporary);
  }

  private get now(): number {
    return this.clock.now().getTime();
  }

  /** Concurrent calls for one document share its fetch. */
  private async look(url: string, callerAddress: string): Promise<Remembered<T>> {
    const shared = this.pending.get(url);
    if (shared) return shared;
    const refusal = await this.limited(url, callerAddress);
    const known = this.remembered.get(url);
    // A caller who is refused must not keep others from what is known.
    if (refusal) return known?.content ? known : { content: undefined, refusal, fetchedAt: 0, until: 0, usableUntil: 0 };
    const started = this.pending.get(url) ?? this.fetch(url, known).finally(() => this.pending.delete(url));
    this.pending.set(url, started);
    return started;
  }

  private async limited(url: string, callerAddress: string): Promise<ClientDocumentRefused | undefined> {
    if (await this.addresses.findRefusal('clientDocuments', callerAddress))
      return this.refused('too many documents were asked for from this address; try again in a minute', true);
    const { allowed } = await this.limiter.take(`client-documents:${new URL(url).host}`, PER_HOST);
    return allowed ? undefined : this.refused('too many documents of its host were asked for; try again in a minute', true);
  }

  private async fetch(url: string, known: Remembered<T> | undefined): Promise<Remembered<T>> {
    const found = await this.fetchOrKeep(url, known);
    this.remembered.set(url, found);
    return found;
  }

  private async fetchOrKeep(url: string, known: Remembered<T> | undefined): Promise<Remembered<T>> {
    try {
      const { text, maxAgeSeconds } = await this.fetcher.fetch(url);
      const content = this.read(url, text);
      const { usual, most, whileAway } = this.kept;
      const keptFor = maxAgeSeconds === undefined ? usual : Math.min(most, Math.max(MINUTE, maxAgeSeconds * SECOND));
      const until = this.now + keptFor;
      return { content, refusal: undefined, fetchedAt: this.now, until, usableUntil: until + whileAway };
    } catch (error) {
      if (!(error instanceof DocumentNotFetched || error instanceof ClientMetadataRefused)) throw error;
      const isTemporary = error instanceof DocumentNotFetched && error.isTemporary;
      const [fetchedAt, until] = [this.now, this.now + FETCHED_AGAIN_AFTER];
      if (isTemporary && known?.content && this.now < known.usableUntil) return { ...known, fetchedAt, until };
      return { content: undefined, refusal: this.refused(error.message, isTemporary), fetchedAt, until, usableUntil: 0 };
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
