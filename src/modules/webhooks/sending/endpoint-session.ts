import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../../kernel/ids.js';
import { DISABLED_AFTER_FAILING_MS } from '../endpoints/endpoint-rules.js';
import type { DisabledReason, WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { excerptOf } from './answer-excerpt.js';
import type { DueDeliveriesRepository, DueDelivery, Settled } from './due-deliveries.repository.js';
import { messageOf, type EventMessage } from '../signing/message.js';
import { Pace } from './pace.js';
import { nextDelayMs, retryAfterMs } from './retry-schedule.js';
import type { Outcome, Sender } from './sender.js';

/** How often the session reads the endpoint again. A change of the endpoint is in force after this, however much is due. */
const REREAD_AFTER_MS = 1000;
/** How many deliveries a session has in hand: those that are being sent, and as many that are next. */
const IN_HAND = 2;
const SETTLE_BATCH = 100;
/** How often results are written and more due deliveries are fetched while requests hang. */
const IDLE_INTERVAL_MS = 250;
/** Whoever has to wait longer for its rate limit gives the endpoint back, so that no session is held for nothing. */
const LONGEST_WAIT_MS = 1000;
/** An ordered endpoint with a due delivery whose event is not settled yet is looked at again after this. */
const UNSETTLED_MS = 250;
const HTTP_GONE = 410;

export interface SessionOptions {
  readonly dueDeliveries: DueDeliveriesRepository;
  readonly sender: Sender;
  readonly now: () => Date;
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
  private unsealed: ReturnType<typeof unseal> | undefined;
  private readonly pace: Pace;
  private readAt: number;
  private settledAt: number;
  private fetchedAt = 0;
  private lastFetchWasFull = false;
  private disabling: DisabledReason | undefined;
  private isEnding = false;

  constructor(
    private endpoint: WebhookEndpoint,
    private readonly lease: string,
    private readonly options: SessionOptions,
  ) {
    this.readAt = this.settledAt = performance.now();
    this.pace = new Pace(endpoint.rateLimit, endpoint.nextSendAt ?? null, options.now());
  }

  /** When to look at the endpoint again, whose next delivery is due at this time. */
  notBefore(next: Date): Date {
    const now = this.options.now().getTime();
    return new Date(Math.max(next.getTime(), now + this.pace.waitMs(new Date(now)), this.endpoint.ordered ? now + UNSETTLED_MS : 0));
  }

  /** Ends when nothing is due, the lease is lost or the process stops. Requests in flight are finished first, even after an error. */
  async run(): Promise<void> {
    try {
      if (!this.isTurnFar()) await this.fetch();
      while (this.isGoingOn() && (this.queue.length > 0 || this.inFlight.size > 0)) await this.step();
    } finally {
      await Promise.allSettled(this.inFlight.values());
    }
    await this.settling;
    await this.settle();
    if (!this.disabling) return;
    await this.options.dueDeliveries.disable(this.endpoint, this.lease, this.disabling, this.options.now().toISOString());
  }

  private async step(): Promise<void> {
    while (this.queue.length > 0 && this.inFlight.size < this.concurrency && this.waitMs() === 0) this.start(this.queue.shift()!);
    await this.oneEnded();
    this.settleInBackground();
    if (performance.now() - this.readAt > REREAD_AFTER_MS) await this.renew();
    if (this.isTurnFar()) this.isEnding = true;
    const isLow = this.queue.length <= this.concurrency / 2;
    const isTimeToFetch = this.lastFetchWasFull || performance.now() - this.fetchedAt > IDLE_INTERVAL_MS;
    if (!this.isEnding && isLow && isTimeToFetch) await this.fetch();
  }

  /** Without order, what is due is sent by several requests at once. */
  private get concurrency(): number {
    return this.endpoint.ordered ? 1 : this.options.concurrency;
  }

  private waitMs(): number {
    return this.pace.waitMs(this.options.now());
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
      // What comes next is known when all results are written.
      if (this.queue.length + this.inFlight.size > 0) return;
      await this.settling;
      await this.settle();
    }
    const inHand = [...this.inFlight.keys(), ...this.queue.map(({ id }) => id)];
    const limit = IN_HAND * this.options.concurrency - inHand.length;
    const known = [...inHand, ...this.results.map(({ id }) => id), ...this.settlingIds];
    const due = await this.options.dueDeliveries.due(this.endpoint, this.options.now(), known, limit);
    this.fetchedAt = performance.now();
    this.lastFetchWasFull = due.length === limit;
    this.queue.push(...due);
  }

  private start(due: DueDelivery): void {
    this.pace.take(this.options.now());
    const attempt = this.deliver(due).finally(() => this.inFlight.delete(due.id));
    this.inFlight.set(due.id, attempt);
    // When one attempt throws, the session ends and no longer awaits the others.
    attempt.catch(() => undefined);
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
    const now = this.options.now();
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
    const now = this.options.now();
    const delayMs =
      errorCode === null || this.disabling
        ? undefined
        : nextDelayMs(this.options.retrySchedule, { attempt, retryAfterMs: retryAfterMs(outcome.retryAfter, now) });
    const next =
      delayMs === undefined
        ? { nextId: null, nextCreatedAt: null, nextAttemptAt: null }
        : { nextId: newId(), nextCreatedAt: now.toISOString(), nextAttemptAt: new Date(now.getTime() + delayMs).toISOString() };
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
    const timer = new AbortController();
    const waitMs = Math.min(IDLE_INTERVAL_MS, (this.queue.length > 0 && this.waitMs()) || IDLE_INTERVAL_MS);
    await Promise.race([...this.inFlight.values(), delay(waitMs, undefined, timer).catch(() => undefined)]);
    timer.abort();
  }

  /** Writes the results once there are many, once some have waited for the idle interval, or once nothing more is queued. */
  private settleInBackground(): void {
    const isMoreToSend = this.queue.length > 0 || this.lastFetchWasFull;
    const canWait = this.results.length < SETTLE_BATCH && isMoreToSend && performance.now() - this.settledAt < IDLE_INTERVAL_MS;
    if (this.isSettling || this.results.length === 0 || canWait) return;
    this.isSettling = true;
    this.settling = this.settle().finally(() => (this.isSettling = false));
    // Awaited later, by run; until then a failure must not count as an unhandled rejection.
    this.settling.catch(() => undefined);
  }

  private async settle(): Promise<void> {
    const { results } = this;
    if (results.length === 0) return;
    this.results = [];
    this.settlingIds = results.map(({ id }) => id);
    this.settledAt = performance.now();
    const held = { until: this.leaseEnd(), nextSendAt: this.pace.nextSendAt };
    const isHeld = await this.options.dueDeliveries.settle(this.endpoint, this.lease, held, results);
    this.settlingIds = [];
    if (!isHeld) this.isEnding = true;
  }

  /** Renews the lease and reads the endpoint again. If its environment or its order has changed, the queue is not for it any more. */
  private async renew(): Promise<void> {
    const endpoint = await this.options.dueDeliveries.renew(this.endpoint, this.lease, this.leaseEnd());
    this.readAt = performance.now();
    if (endpoint?.environment !== this.endpoint.environment || endpoint.ordered !== this.endpoint.ordered) {
      this.isEnding = true;
      return;
    }
    this.endpoint = endpoint;
    this.unsealed = undefined;
    this.pace.change(endpoint.rateLimit, this.options.now());
  }

  private leaseEnd(): Date {
    return new Date(this.options.now().getTime() + this.options.leaseMs);
  }
}

const unseal = (secrets: EndpointSecrets, endpoint: WebhookEndpoint) => ({
  keys: secrets.keysOf(endpoint),
  ownHeaders: secrets.headersOf(endpoint),
});
