import { newId } from '../../../kernel/ids.js';
import type { Clock } from '../../../kernel/time.js';
import { DISABLED_AFTER_FAILING_MS } from '../endpoints/endpoint-rules.js';
import type { DisabledReason, WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { excerptOf } from './answer-excerpt.js';
import type { DueDeliveriesRepository, DueDelivery, Settled } from './due-deliveries.repository.js';
import { messageOf, type EventMessage } from '../signing/message.js';
import { Pace } from './pace.js';
import { Portion } from './portion.js';
import { nextDelayMs, retryAfterMs } from './retry-schedule.js';
import type { Outcome, Sender } from './sender.js';

/** How often the session reads the endpoint again. A change of the endpoint is in force after this, however much is due. */
const REREAD_AFTER_MS = 1000;
/** How many deliveries a session has in hand: at first those that are being sent, and as many that are next. */
const IN_HAND = 2;
/** What was fetched and is sent in this time makes the next portion larger. */
const IN_HAND_FOR_MS = 2000;
const SETTLE_BATCH = 100;
/** How long results wait for others, to be written together: if a retry is among them, and if not. */
const RETRY_WAITS_MS = 250;
const RESULT_WAITS_MS = 1000;
/** How often the session looks for more due deliveries while requests hang. */
const IDLE_INTERVAL_MS = 250;
/** Whoever has to wait longer for its rate limit gives the endpoint back, so that no session is held for nothing. */
const LONGEST_WAIT_MS = 1000;
/** An ordered endpoint with a due delivery whose event is not settled yet is looked at again after this. */
const UNSETTLED_MS = 250;
const HTTP_GONE = 410;

export interface SessionOptions {
  readonly dueDeliveries: DueDeliveriesRepository;
  readonly sender: Sender;
  readonly clock: Pick<Clock, 'now' | 'elapsedMs' | 'schedule'>;
  readonly secrets: EndpointSecrets;
  readonly retrySchedule: readonly number[];
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly isStopping: () => boolean;
}

/** Sends the due deliveries of one endpoint for as long as there are any and this worker holds the lease. */
export class EndpointSession {
  private readonly queue: DueDelivery[] = [];
  private readonly inFlight = new Map<string, Promise<void>>();
  private results: Settled[] = [];
  /** Those whose results are being written. */
  private settlingIds: readonly string[] = [];
  private settling: Promise<void> = Promise.resolve();
  private isSettling = false;
  private fetching: Promise<void> = Promise.resolve();
  private isFetching = false;
  private unsealed: ReturnType<typeof unseal> | undefined;
  private readonly pace: Pace;
  private readAt: number;
  private settledAt: number;
  private fetchedAt = 0;
  private readonly portion: Portion;
  private lastFetchWasFull = false;
  private failure: { readonly error: unknown } | undefined;
  private disabling: DisabledReason | undefined;
  private isEnding = false;
  /** Ends the wait for something to happen. */
  private wake: () => void = () => undefined;
  private isRetryAmongThem = false;

  constructor(
    private endpoint: WebhookEndpoint,
    private readonly lease: string,
    private readonly options: SessionOptions,
  ) {
    this.readAt = this.settledAt = options.clock.elapsedMs();
    this.portion = new Portion(IN_HAND * options.concurrency);
    this.pace = new Pace(endpoint.rateLimit, endpoint.nextSendAt ?? null, options.clock.now());
  }

  /** When to look at the endpoint again, whose next delivery is due at this time. */
  notBefore(next: Date): Date {
    const now = this.options.clock.now().getTime();
    return new Date(Math.max(next.getTime(), now + this.pace.waitMs(new Date(now)), this.endpoint.ordered ? now + UNSETTLED_MS : 0));
  }

  /** Ends when nothing is due, the lease is lost or the process stops. Requests in flight are finished first, even after an error. */
  async run(): Promise<void> {
    try {
      if (!this.isTurnFar()) await this.fetch();
      while (this.isGoingOn() && (this.queue.length > 0 || this.inFlight.size > 0 || this.isFetching)) await this.step();
    } finally {
      await Promise.all([...this.inFlight.values(), this.fetching]);
    }
    await this.settling;
    await this.settle();
    if (this.failure) throw this.failure.error;
    if (!this.disabling) return;
    await this.options.dueDeliveries.disable(this.endpoint, this.lease, this.disabling, this.options.clock.now().toISOString());
  }

  private async step(): Promise<void> {
    while (this.queue.length > 0 && this.inFlight.size < this.concurrency && this.waitMs() === 0) this.start(this.queue.shift()!);
    await this.oneEnded();
    this.settleInBackground();
    if (this.options.clock.elapsedMs() - this.readAt > REREAD_AFTER_MS) await this.renew();
    if (this.isTurnFar()) this.isEnding = true;
    const isTimeToFetch = this.lastFetchWasFull || this.options.clock.elapsedMs() - this.fetchedAt > IDLE_INTERVAL_MS;
    if (!this.isEnding && this.isLow && isTimeToFetch) this.fetchInBackground();
  }

  private get isLow(): boolean {
    // In order, what comes next is known when all in hand has been sent.
    if (this.endpoint.ordered) return this.queue.length + this.inFlight.size === 0;
    return this.queue.length <= this.portion.size / 4;
  }

  /** What is in hand is sent meanwhile. */
  private fetchInBackground(): void {
    if (this.isFetching) return;
    this.isFetching = true;
    this.fetching = this.fetch()
      .catch(this.fail)
      .finally(() => {
        this.isFetching = false;
        this.wake();
      });
  }

  /** Ends the session. Its results are written all the same. */
  private readonly fail = (error: unknown): void => {
    this.failure ??= { error };
    this.isEnding = true;
  };

  /** Without order, what is due is sent by several requests at once. */
  private get concurrency(): number {
    return this.endpoint.ordered ? 1 : this.options.concurrency;
  }

  private waitMs(): number {
    return this.pace.waitMs(this.options.clock.now());
  }

  private isTurnFar(): boolean {
    return this.waitMs() > LONGEST_WAIT_MS;
  }

  private isGoingOn(): boolean {
    return !this.isEnding && !this.options.isStopping();
  }

  /** Fetches more due deliveries, except those that this session already has. */
  private async fetch(): Promise<void> {
    if (this.endpoint.ordered) {
      // And when all results are written.
      await this.settling;
      await this.settle();
    }
    const inHand = [...this.inFlight.keys(), ...this.queue.map(({ id }) => id)];
    this.portion.change(this.lastFetchWasFull && this.options.clock.elapsedMs() - this.fetchedAt < IN_HAND_FOR_MS);
    const limit = this.portion.size - inHand.length;
    const known = [...inHand, ...this.results.map(({ id }) => id), ...this.settlingIds];
    const due = await this.options.dueDeliveries.due(this.endpoint, this.options.clock.now(), known, limit);
    this.fetchedAt = this.options.clock.elapsedMs();
    this.lastFetchWasFull = due.length === limit;
    this.queue.push(...due);
  }

  private start(due: DueDelivery): void {
    this.pace.take(this.options.clock.now());
    const attempt = this.deliver(due)
      .catch(this.fail)
      .finally(() => {
        this.inFlight.delete(due.id);
        this.wake();
      });
    this.inFlight.set(due.id, attempt);
  }

  private deliver(due: DueDelivery): Promise<void> {
    return this.options.dueDeliveries.bodies.use(
      due,
      () => this.isGoingOn(),
      async (event) => {
        if (event) await this.send(due, event);
        // It stays pending, and so does all that is queued.
        else this.isEnding = true;
      },
    );
  }

  private async send(due: DueDelivery, event: EventMessage): Promise<void> {
    const now = this.options.clock.now();
    const { targetUrl: url, payload, headerNames } = this.endpoint;
    const { keys, ownHeaders } = (this.unsealed ??= unseal(this.options.secrets, this.endpoint));
    const outcome = await this.options.sender.send(messageOf(event, { url, payload, ownHeaders }, keys, now));
    if (outcome.errorCode === null) this.countSuccess();
    else this.countFailure(outcome, now);
    const { start, isLonger = false } = outcome;
    const answer = start ? excerptOf(start, isLonger, Object.values(ownHeaders)) : null;
    this.results.push({ ...this.settledOf(due, outcome, now), sent: { url, payload, headerNames }, answer });
  }

  private settledOf({ id, attempt }: DueDelivery, outcome: Outcome, attemptedAt: Date): Omit<Settled, 'sent' | 'answer'> {
    const { status: responseStatus, errorCode, durationMs } = outcome;
    const own = { id, responseStatus, errorCode, durationMs, attemptedAt: attemptedAt.toISOString() };
    const now = this.options.clock.now();
    const delayMs =
      errorCode === null || this.disabling
        ? undefined
        : nextDelayMs(this.options.retrySchedule, { attempt, retryAfterMs: retryAfterMs(outcome.retryAfter, now) });
    const next =
      delayMs === undefined
        ? { nextId: null, nextCreatedAt: null, nextAttemptAt: null }
        : { nextId: newId(), nextCreatedAt: now.toISOString(), nextAttemptAt: new Date(now.getTime() + delayMs).toISOString() };
    this.isRetryAmongThem ||= delayMs !== undefined;
    return { ...own, status: errorCode === null ? 'delivered' : 'failed', ...next };
  }

  private countSuccess(): void {
    this.endpoint.failingSince = null;
    if (this.disabling === 'failing') this.disabling = undefined;
  }

  /** An endpoint that answers 410, or has failed for too long, is disabled once the requests in flight have ended. */
  private countFailure({ status }: Outcome, now: Date): void {
    this.endpoint.failingSince ??= now.toISOString();
    if (status === HTTP_GONE) this.disabling = 'gone';
    else if (now.getTime() - Date.parse(this.endpoint.failingSince) >= DISABLED_AFTER_FAILING_MS) this.disabling ??= 'failing';
    // In order, what follows waits for the retry, or for the end of the schedule.
    this.isEnding ||= this.disabling !== undefined || this.endpoint.ordered;
  }

  /** Waits until a request has ended, until the next may be sent, or for the idle interval. */
  private async oneEnded(): Promise<void> {
    const waitMs = Math.min(IDLE_INTERVAL_MS, (this.queue.length > 0 && this.waitMs()) || IDLE_INTERVAL_MS);
    let cancel: (() => void) | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      cancel = this.options.clock.schedule(resolve, waitMs);
    });
    cancel?.();
  }

  /** Writes the results once there are many, once some have waited long enough, or once nothing more is queued. */
  private settleInBackground(): void {
    if (this.isSettling || this.results.length === 0 || this.canResultsWait()) return;
    this.isSettling = true;
    this.settling = this.settle().finally(() => (this.isSettling = false));
    // Awaited later, by run; until then a failure must not count as an unhandled rejection.
    this.settling.catch(() => undefined);
  }

  private canResultsWait(): boolean {
    const isMoreToSend = this.queue.length > 0 || this.lastFetchWasFull;
    if (this.results.length >= SETTLE_BATCH || !isMoreToSend) return false;
    return this.options.clock.elapsedMs() - this.settledAt < (this.isRetryAmongThem ? RETRY_WAITS_MS : RESULT_WAITS_MS);
  }

  private async settle(): Promise<void> {
    const { results } = this;
    if (results.length === 0) return;
    this.results = [];
    this.isRetryAmongThem = false;
    this.settlingIds = results.map(({ id }) => id);
    this.settledAt = this.options.clock.elapsedMs();
    const held = { until: this.leaseEnd(), nextSendAt: this.pace.nextSendAt };
    const endpoint = await this.options.dueDeliveries.settle(this.endpoint, this.lease, held, results);
    this.settlingIds = [];
    this.goOnWith(endpoint);
  }

  /** While no results are written: renews the lease and reads the endpoint again. */
  private async renew(): Promise<void> {
    this.goOnWith(await this.options.dueDeliveries.renew(this.endpoint, this.lease, this.leaseEnd()));
  }

  /** The endpoint as it is now. If its environment or its order has changed, the queue is not for it any more. */
  private goOnWith(endpoint: WebhookEndpoint | undefined): void {
    const before = this.endpoint;
    this.readAt = this.options.clock.elapsedMs();
    if (endpoint?.environment !== before.environment || endpoint.ordered !== before.ordered) {
      this.isEnding = true;
      return;
    }
    // What has not been written yet is newer.
    const isAhead = this.results.length + this.settlingIds.length > 0;
    this.endpoint = isAhead ? { ...endpoint, failingSince: before.failingSince } : endpoint;
    // Keys are imported once, until the endpoint changes.
    if (endpoint.updatedAt !== before.updatedAt) this.unsealed = undefined;
    this.pace.change(endpoint.rateLimit, this.options.clock.now());
  }

  private leaseEnd(): Date {
    return new Date(this.options.clock.now().getTime() + this.options.leaseMs);
  }
}

const unseal = (secrets: EndpointSecrets, endpoint: WebhookEndpoint) => ({
  keys: secrets.keysOf(endpoint),
  ownHeaders: secrets.headersOf(endpoint),
});
