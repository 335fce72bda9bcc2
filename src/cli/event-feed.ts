import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { userAgentOf } from '../kernel/product.js';
import { StartError } from '../kernel/settings/settings.js';
import { callForText, parsed, reasonOf, type TextAnswer } from './call.js';

const SECOND_MS = 1000;
const LONGEST_PAUSE_MS = 60 * SECOND_MS;
/** With fewer requests left, the rest is for the other programs of the organization. */
const ENOUGH_LEFT = 10;

/** How long to wait after an answer: a second, nothing if more is waiting, but longer when `RateLimit` says that little is left. */
export function pauseAfter(headers: IncomingHttpHeaders, isMoreWaiting: boolean): number {
  const [, left, resetSeconds] = /;r=(\d+);t=(\d+)/.exec(String(headers['ratelimit'])) ?? [];
  if (left !== undefined && Number(left) < ENOUGH_LEFT) return within(Number(resetSeconds) * SECOND_MS);
  return isMoreWaiting ? 0 : SECOND_MS;
}

/** How long to wait before a request is repeated: as `Retry-After` says, else longer with each failure. */
export function retryPause(failures: number, headers?: IncomingHttpHeaders): number {
  const seconds = headers?.['retry-after'] ?? '';
  return within(/^\d+$/.test(seconds) ? Number(seconds) * SECOND_MS : Math.min(2 ** (failures - 1), 10) * SECOND_MS);
}

const within = (ms: number): number => Math.min(Math.max(ms, SECOND_MS), LONGEST_PAUSE_MS);

/** An event as `GET /v1/events` returns it: the body of its delivery. */
export interface FedEvent {
  readonly id: string;
  readonly type: string;
}

interface Page {
  readonly data: readonly FedEvent[];
  readonly nextCursor: { readonly after: string };
  readonly hasMore: boolean;
}

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { readonly code: string }[];
}

export interface FeedOptions {
  readonly api: string;
  /** The header with the credential, for each call: a token may have to be renewed. */
  readonly credential: () => Promise<Readonly<Record<string, string>>>;
  /** undefined: all kinds. */
  readonly kinds?: readonly string[] | undefined;
  readonly stop: AbortSignal;
  /** Told in one line that the service is away, and when it is back. */
  readonly report: (line: string) => void;
}

interface Query {
  readonly after?: string | undefined;
  readonly kind?: string | undefined;
}

const PATH = '/v1/events';
const PAGE_SIZE = 50;
const TIMEOUT_MS = 30_000;
/** Codes of a host that cannot be found. One that has answered before is only away. */
const NOT_FOUND = ['ENOTFOUND', 'EAI_AGAIN'];

/** Follows the events of a service with nothing but a credential. It waits while the service is away, and writes nothing there. */
export class EventFeed {
  /** One after an event that alone is too large for a page of several. */
  private limit = PAGE_SIZE;
  private hasAnswered = false;
  private failures = 0;
  private pauseMs = 0;

  constructor(private readonly options: FeedOptions) {}

  /** Events that are committed from now on. Resolves once the service has accepted the key and the kinds. */
  async open(): Promise<AsyncGenerator<FedEvent, void>> {
    const { kinds, stop } = this.options;
    const [kind, ...others] = kinds ?? [];
    const first = await this.page({ kind });
    // The service knows which kinds there are.
    for (const other of others) await this.page({ kind: other });
    const wanted = (event: FedEvent): boolean => kinds === undefined || kinds.includes(event.type);
    const next = (after: string) => this.page({ after, kind: others.length === 0 ? kind : undefined });
    return (async function* () {
      for (let page = first; page && !stop.aborted; page = await next(page.nextCursor.after)) yield* page.data.filter(wanted);
    })();
  }

  /** Fetches a page, as often as it takes. undefined when the feed was ended. */
  private async page(query: Query): Promise<Page | undefined> {
    const { stop } = this.options;
    for (;;) {
      await delay(this.pauseMs, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return undefined;
      const answer = await this.call(query);
      const page = answer && this.pageOf(answer);
      if (!page) continue;
      this.pauseMs = pauseAfter(answer.headers, page.hasMore || query.after === undefined);
      return page;
    }
  }

  private async call({ after, kind }: Query): Promise<TextAnswer | undefined> {
    const { api, credential, stop } = this.options;
    const query = new URLSearchParams({ limit: String(this.limit), ...(after && { after }), ...(kind && { kind }) });
    const headers = { ...(await credential()), 'user-agent': userAgentOf('cli') };
    try {
      return await callForText(`${api}${PATH}?${query.toString()}`, { method: 'GET', headers, timeoutMs: TIMEOUT_MS, stop });
    } catch (error) {
      return this.away(error);
    }
  }

  /** Reads an answer. undefined: the request is to be sent again. */
  private pageOf({ status, headers, text }: TextAnswer): Page | undefined {
    const { api } = this.options;
    const body = parsed(text) as Partial<Page & Problem>;
    if (status === 200 && Array.isArray(body.data) && body.nextCursor) return this.answered(body as Page);
    if (status === 429 || status >= 500)
      return this.tryLater(`${api} answers ${status}: ${(body.detail ?? 'no reason was given').replace(/\.$/, '')}`, headers);
    if (body.code === undefined || status === 404)
      throw new StartError(`There is no Claims API at ${api}: it answered GET ${PATH} with ${status}.`);
    if (this.limit > 1 && body.errors?.some(({ code }) => code === 'answer_too_large')) {
      this.limit = 1;
      return undefined;
    }
    const what = status === 401 || status === 403 ? 'refused the key' : 'refused the request';
    throw new StartError(`${api} ${what}: ${body.detail} (${body.code})`);
  }

  private answered(page: Page): Page {
    if (this.failures > 0) this.options.report(`${this.options.api} answers again.`);
    this.hasAnswered = true;
    this.limit = PAGE_SIZE;
    this.failures = 0;
    return page;
  }

  /** There was no answer, or it broke off. */
  private away(error: unknown): undefined {
    const { api, stop } = this.options;
    if (stop.aborted) return undefined;
    const reason = reasonOf(error);
    if (NOT_FOUND.includes(reason) && !this.hasAnswered) throw new StartError(`The host of ${api} cannot be found (${reason}).`);
    return this.tryLater(`${api} cannot be reached (${reason})`);
  }

  private tryLater(reason: string, headers?: IncomingHttpHeaders): undefined {
    this.failures += 1;
    if (this.failures === 1) this.options.report(`${reason}; trying again until it answers.`);
    this.pauseMs = retryPause(this.failures, headers);
  }
}
