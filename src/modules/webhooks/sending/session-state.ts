import { DISABLED_AFTER_FAILING_MS } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { DisabledReason } from '../endpoints/webhooks.dto.js';
import type { DueDelivery, Settled } from './due-deliveries.repository.js';
import { InHand } from './in-hand.js';
import { Pace } from './pace.js';

/** How often the session reads the endpoint again. A change of the endpoint is in force after this, however much is due. */
const REREAD_AFTER_MS = 1000;
/** How many deliveries a session has in hand: at first those that are being sent, and as many that are next. */
const IN_HAND = 2;
/** How long the session waits for a request to end before it looks at what else there is to do. */
const IDLE_INTERVAL_MS = 250;
/** A session that has to wait longer for its rate limit gives the endpoint back, so that no session is held for nothing. */
const LONGEST_WAIT_MS = 1000;
/** So many results are written at once. Fewer wait for others: for how long if a retry is among them, and if not. */
const ENOUGH_RESULTS = 100;
const RETRY_WAITS_MS = 250;
const RESULT_WAITS_MS = 1000;
/** The same when nothing more is to be sent, but for what is being sent. */
const LAST_RESULTS_WAIT_MS = 100;
/** A session stays for so long after its last request: what becomes due meanwhile is sent at once. In order, an event waits anyway. */
const LINGER_MS = 200;
/** How long results wait for others meanwhile. */
const QUIET_RESULTS_WAIT_MS = 25;
/** An ordered endpoint with a due delivery whose event is not settled yet is looked at again after this. */
const UNSETTLED_MS = 250;
const HTTP_GONE = 410;

/** No correction of the time changes `elapsedMs`. */
export type Moment = { readonly now: Date; readonly elapsedMs: number };

/** What takes time. Each ends with an event of its own, or with `failed`. */
export type Work =
  | { readonly do: 'send'; readonly due: DueDelivery }
  | { readonly do: 'fetch'; readonly limit: number; readonly known: readonly string[] }
  | { readonly do: 'write'; readonly results: readonly Settled[]; readonly nextSendAt: Date | null }
  | { readonly do: 'renew' }
  | { readonly do: 'disable'; readonly reason: DisabledReason };

export type Failure = { readonly error: unknown };

export type Action =
  | Work
  | { readonly do: 'letGo'; readonly deliveries: readonly DueDelivery[] }
  /** Until an event comes, and at most for this long. */
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'end'; readonly failure: Failure | undefined };

export type SessionEvent =
  /** Without a result the event could not be sent now. It stays pending, and so does all that is in hand. */
  | { readonly kind: 'attemptEnded'; readonly id: string; readonly result: Settled | undefined }
  | { readonly kind: 'fetched'; readonly due: readonly DueDelivery[] }
  /** With the endpoint as it is now; undefined when the lease was lost or nothing more is to be sent to it. */
  | { readonly kind: 'written' | 'renewed'; readonly endpoint: WebhookEndpoint | undefined }
  | { readonly kind: 'failed'; readonly work: Work; readonly error: unknown }
  /** `told`: there may be more that is due. */
  | { readonly kind: 'disabled' | 'stopping' | 'told' };

export type Phase = 'sending' | 'renewing' | 'finishing' | 'writing' | 'disabling' | 'ended';

/**
 * Decides what a session does next, by what has happened and what time it is. It does nothing itself: `EndpointSession` carries the actions
 * out, and reports how they have ended.
 *
 *              was read a second ago
 *     sending ─────────────────────────► renewing   nothing new begins
 *        │    ◄─────────────────────────    │
 *        │              renewed             │
 *        ├──────────────────────────────────┘
 *        │  nothing is left · the rate limit makes it wait too long · an event cannot be sent now · to be disabled
 *        │  an ordered endpoint has failed · lease lost · order or environment changed · work failed · stopping
 *        ▼
 *     finishing   what is in hand is let go, and all that was begun ends
 *        ▼
 *     writing     the results that are left
 *        ▼
 *     disabling   if the endpoint answered 410 or has failed for days, and no work has failed
 *        ▼
 *     ended
 *
 * While it is sending, it also fetches and writes. Neither keeps it from sending.
 */
export class SessionState {
  phase: Phase = 'sending';
  private readonly inHand: InHand;
  private readonly inFlight = new Set<string>();
  /** What has been sent and not written down yet, and when the first of it came. */
  private results: Settled[] = [];
  private resultsSinceMs = 0;
  private writingIds: readonly string[] = [];
  /** What runs beside the requests, one of each. */
  private readonly running = new Set<Work['do']>();
  private readonly pace: Pace;
  private readAtMs: number;
  private sentAtMs = -Infinity;
  private failingSince: string | null;
  private disabling: DisabledReason | undefined;
  private failure: Failure | undefined;

  constructor(
    /** As it was read last. */
    public endpoint: WebhookEndpoint,
    private readonly concurrency: number,
    { now, elapsedMs }: Moment,
  ) {
    this.inHand = new InHand(IN_HAND * concurrency);
    this.pace = new Pace(endpoint.rateLimit, endpoint.nextSendAt ?? null, now);
    this.readAtMs = elapsedMs;
    this.failingSince = endpoint.failingSince;
  }

  /** When to look at the endpoint again, whose next delivery is due at this time. */
  notBefore(next: Date, now: Date): Date {
    const nowMs = now.getTime();
    return new Date(Math.max(next.getTime(), nowMs + this.pace.waitMs(now), this.endpoint.ordered ? nowMs + UNSETTLED_MS : 0));
  }

  /** Whether what is in hand is still to be sent. */
  get isGoingOn(): boolean {
    return this.phase === 'sending' || this.phase === 'renewing';
  }

  take(event: SessionEvent, at: Moment): void {
    switch (event.kind) {
      case 'attemptEnded':
        this.inFlight.delete(event.id);
        return event.result ? this.takeResult(event.result, at) : this.finish();
      case 'fetched':
        this.running.delete('fetch');
        return this.inHand.add(event.due, at.elapsedMs);
      case 'written':
        this.running.delete('write');
        this.writingIds = [];
        return this.goOnWith(event.endpoint, at);
      case 'renewed':
        this.running.delete('renew');
        if (this.phase === 'renewing') this.phase = 'sending';
        return this.goOnWith(event.endpoint, at);
      case 'failed':
        if (event.work.do === 'send') this.inFlight.delete(event.work.due.id);
        this.running.delete(event.work.do);
        this.failure ??= { error: event.error };
        return this.finish();
      case 'disabled':
        return void this.running.delete('disable');
      case 'stopping':
        return this.finish();
      case 'told':
        return this.inHand.expectMore();
    }
  }

  next(at: Moment): readonly Action[] {
    const actions = this.phase === 'sending' ? this.whileSending(at) : [];
    return this.isGoingOn ? actions : [...actions, ...this.whileEnding()];
  }

  private whileSending(at: Moment): Action[] {
    const actions: Action[] = [];
    if (!this.running.has('write') && this.resultsCanWaitMs(at) === 0) actions.push(this.write());
    // Writing results reads the endpoint, too.
    if (!this.running.has('write') && this.rereadInMs(at) === 0) {
      this.phase = 'renewing';
      return [...actions, this.begin({ do: 'renew' })];
    }
    if (this.pace.waitMs(at.now) > LONGEST_WAIT_MS) this.finish();
    actions.push(...lettingGo(this.inHand.takeBackLate(at.elapsedMs)));
    if (this.isGoingOn && this.isTimeToFetch(at)) actions.push(...this.fetch(at));
    else if (this.isQuiet && !this.running.has('fetch') && this.lingersForMs(at) === 0) this.finish();
    if (!this.isGoingOn) return actions;
    while (this.canSend(at)) actions.push(this.send(at));
    return [...actions, { do: 'wait', ms: this.waitMs(at) }];
  }

  private whileEnding(): Action[] {
    const actions = lettingGo(this.inHand.takeBack());
    if (this.inFlight.size + this.running.size > 0) return actions;
    if (this.results.length > 0) {
      this.phase = 'writing';
      return [...actions, this.write()];
    }
    if (this.disabling && !this.failure && this.phase !== 'disabling') {
      this.phase = 'disabling';
      return [...actions, this.begin({ do: 'disable', reason: this.disabling })];
    }
    this.phase = 'ended';
    return [...actions, { do: 'end', failure: this.failure }];
  }

  private finish(): void {
    if (this.isGoingOn) this.phase = 'finishing';
  }

  private begin(work: Work): Work {
    this.running.add(work.do);
    return work;
  }

  private canSend({ now }: Moment): boolean {
    const atOnce = this.endpoint.ordered ? 1 : this.concurrency;
    return this.inHand.size > 0 && this.inFlight.size < atOnce && this.pace.waitMs(now) === 0;
  }

  private send({ now, elapsedMs }: Moment): Work {
    this.pace.take(now);
    const due = this.inHand.next(elapsedMs);
    this.sentAtMs = elapsedMs;
    this.inFlight.add(due.id);
    return { do: 'send', due };
  }

  private isTimeToFetch({ elapsedMs }: Moment): boolean {
    // In order, what comes next is known when all in hand has been sent.
    const isKnown = !this.endpoint.ordered || this.inHand.size + this.inFlight.size === 0;
    return isKnown && !this.running.has('fetch') && this.inHand.isTimeToFetch(elapsedMs);
  }

  /** More due deliveries, except those that this session already has. In order, all results are written before. */
  private fetch({ elapsedMs }: Moment): Work[] {
    if (this.endpoint.ordered && this.running.has('write')) return [];
    if (this.endpoint.ordered && this.results.length > 0) return [this.write()];
    const limit = this.inHand.nextLimit(this.inFlight.size, elapsedMs);
    const known = [...this.inFlight, ...this.inHand.ids, ...this.results.map(({ id }) => id), ...this.writingIds];
    return limit > 0 ? [this.begin({ do: 'fetch', limit, known })] : [];
  }

  private write(): Work {
    const { results } = this;
    this.results = [];
    this.writingIds = results.map(({ id }) => id);
    return this.begin({ do: 'write', results, nextSendAt: this.pace.nextSendAt });
  }

  private waitMs(at: Moment): number {
    const untilNext = (this.inHand.size > 0 && this.pace.waitMs(at.now)) || IDLE_INTERVAL_MS;
    const longest = (this.isQuiet && this.lingersForMs(at)) || IDLE_INTERVAL_MS;
    return Math.min(longest, untilNext, this.running.has('write') ? IDLE_INTERVAL_MS : this.resultsCanWaitMs(at));
  }

  private resultsCanWaitMs(at: Moment): number {
    if (this.results.length === 0) return Infinity;
    if (this.results.length >= ENOUGH_RESULTS) return 0;
    const forOthers = this.results.some(({ nextId }) => nextId !== null) ? RETRY_WAITS_MS : RESULT_WAITS_MS;
    const longest = this.isQuiet ? QUIET_RESULTS_WAIT_MS : this.inHand.isMoreToCome ? forOthers : LAST_RESULTS_WAIT_MS;
    return Math.max(0, Math.min(longest - (at.elapsedMs - this.resultsSinceMs), this.rereadInMs(at)));
  }

  private get isQuiet(): boolean {
    return this.inHand.size + this.inFlight.size === 0;
  }

  private lingersForMs({ elapsedMs }: Moment): number {
    return this.endpoint.ordered ? 0 : Math.max(0, LINGER_MS - (elapsedMs - this.sentAtMs));
  }

  private rereadInMs({ elapsedMs }: Moment): number {
    return Math.max(0, REREAD_AFTER_MS - (elapsedMs - this.readAtMs));
  }

  private takeResult(result: Settled, { elapsedMs }: Moment): void {
    if (result.status === 'failed') this.countFailure(result);
    else {
      this.failingSince = null;
      if (this.disabling === 'failing') this.disabling = undefined;
    }
    if (this.results.length === 0) this.resultsSinceMs = elapsedMs;
    const noRetry = this.disabling && { nextId: null, nextCreatedAt: null, nextAttemptAt: null };
    this.results.push({ ...result, ...noRetry });
  }

  /** An endpoint that answers 410, or has failed for too long, is disabled once the requests in flight have ended. */
  private countFailure({ responseStatus, attemptedAt }: Settled): void {
    this.failingSince ??= attemptedAt;
    if (responseStatus === HTTP_GONE) this.disabling = 'gone';
    else if (Date.parse(attemptedAt) - Date.parse(this.failingSince) >= DISABLED_AFTER_FAILING_MS) this.disabling ??= 'failing';
    // In order, what follows waits for the retry, or for the end of the schedule.
    if (this.disabling !== undefined || this.endpoint.ordered) this.finish();
  }

  /** If its environment or its order has changed, the queue is not for the endpoint any more. */
  private goOnWith(endpoint: WebhookEndpoint | undefined, { now, elapsedMs }: Moment): void {
    this.readAtMs = elapsedMs;
    if (endpoint?.environment !== this.endpoint.environment || endpoint.ordered !== this.endpoint.ordered) return this.finish();
    this.endpoint = endpoint;
    // What has not been written yet is newer.
    if (this.results.length === 0) this.failingSince = endpoint.failingSince;
    this.pace.change(endpoint.rateLimit, now);
  }
}

const lettingGo = (deliveries: readonly DueDelivery[]): Action[] => (deliveries.length > 0 ? [{ do: 'letGo', deliveries }] : []);
