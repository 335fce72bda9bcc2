import { idAt } from '../../../kernel/ids.js';
import { counter, duration } from '../../../kernel/metrics.js';
import type { Clock } from '../../../kernel/time.js';
import { DISABLED_AFTER_FAILING_MS } from '../endpoints/endpoint-rules.js';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import type { DisabledReason, WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { type EventMessage, messageOf } from '../signing/message.js';
import { excerptOf } from './answer-excerpt.js';
import type { DueDeliveriesRepository, DueDelivery, Settled } from './due-deliveries.repository.js';
import { InHand } from './in-hand.js';
import { Pace } from './pace.js';
import { nextDelayMs, retryAfterMs } from './retry-schedule.js';
import { type Outcome, SEND_ERRORS, type Sender } from './sender.js';
import { UnwrittenResults } from './unwritten-results.js';

const ATTEMPTS = counter(
  'deliveries_total',
  'Attempts to deliver an event, by how they ended.',
  ['outcome'],
  ['delivered', ...SEND_ERRORS].map((outcome) => ({ outcome })),
);
const TOOK = duration('delivery_duration_seconds', 'How long endpoints took to answer, or attempts to fail.', 'requests');

const ENDPOINTS_DISABLED = counter(
  'endpoints_disabled_total',
  'Endpoints that were disabled because they failed.',
  ['reason'],
  [{ reason: 'failing' }, { reason: 'gone' }],
);

function countAttempt({ errorCode, durationMs }: Outcome): void {
  ATTEMPTS.inc({ outcome: errorCode ?? 'delivered' });
  TOOK.observe(durationMs / 1000);
}

/** How often the session reads the endpoint again. A change of the endpoint is in force after this, however much is due. */
const REREAD_AFTER_MS = 1000;
/** How many deliveries a session has in hand: at first those that are being sent, and as many that are next. */
const IN_HAND = 2;
/** How long the session waits for a request to end before it looks at what else there is to do. */
const IDLE_INTERVAL_MS = 250;
/** A session that has to wait longer for its rate limit gives the endpoint back, so that no session is held for nothing. */
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
  private readonly inHand: InHand;
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly results: UnwrittenResults;
  /** Those whose results are being written. */
  private settlingIds: readonly string[] = [];
  private settling: Promise<void> = Promise.resolve();
  private isSettling = false;
  private fetching: Promise<void> = Promise.resolve();
  private isFetching = false;
  private prepared: PreparedEndpoint | undefined;
  private readonly pace: Pace;
  private readAt: number;
  private failure: { readonly error: unknown } | undefined;
  private disabling: DisabledReason | undefined;
  private isEnding = false;
  /** Ends the wait for something to happen. */
  private wake: () => void = () => undefined;

  constructor(
    private endpoint: WebhookEndpoint,
    private readonly lease: string,
    private readonly options: SessionOptions,
  ) {
    this.readAt = options.clock.elapsedMs();
    this.results = new UnwrittenResults(options.clock);
    this.inHand = new InHand(IN_HAND * options.concurrency, options.clock);
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
      if (this.waitMs() <= LONGEST_WAIT_MS) await this.fetch();
      while (this.isGoingOn() && (this.inHand.size > 0 || this.inFlight.size > 0 || this.isFetching)) await this.step();
    } finally {
      await Promise.all([...this.inFlight.values(), this.fetching]);
      this.letGo(this.inHand.takeBack());
    }
    await this.settling;
    await this.settle();
    if (this.failure) throw this.failure.error;
    if (!this.disabling) return;
    await this.options.dueDeliveries.disable(this.endpoint, this.lease, this.disabling, this.options.clock.now().toISOString());
    ENDPOINTS_DISABLED.inc({ reason: this.disabling });
  }

  private async step(): Promise<void> {
    while (this.inHand.size > 0 && this.inFlight.size < this.concurrency && this.waitMs() === 0) this.start(this.inHand.next());
    await this.oneEnded();
    this.settleInBackground();
    // Writing results reads the endpoint, too.
    if (!this.isSettling && this.rereadInMs() === 0) await this.renew();
    if (this.waitMs() > LONGEST_WAIT_MS) this.isEnding = true;
    this.letGo(this.inHand.takeBackLate());
    if (!this.isEnding && this.isTimeToFetch) this.fetchInBackground();
  }

  private letGo(deliveries: readonly DueDelivery[]): void {
    for (const due of deliveries) this.options.dueDeliveries.bodies.letGo(due);
  }

  private get isTimeToFetch(): boolean {
    // In order, what comes next is known when all in hand has been sent.
    return (!this.endpoint.ordered || this.inHand.size + this.inFlight.size === 0) && this.inHand.isTimeToFetch;
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
    const limit = this.inHand.nextLimit(this.inFlight.size);
    if (limit === 0) return;
    const known = [...this.inFlight.keys(), ...this.inHand.ids, ...this.results.ids, ...this.settlingIds];
    this.inHand.add(await this.options.dueDeliveries.due(this.endpoint, this.options.clock.now(), known, limit));
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
    const prepared = (this.prepared ??= prepareEndpoint(this.options.secrets, this.endpoint));
    const outcome = await this.options.sender.send(messageOf(event, prepared, prepared.keys, now));
    countAttempt(outcome);
    if (outcome.errorCode === null) this.countSuccess();
    else this.countFailure(outcome, now);
    const { start, isLonger = false } = outcome;
    const answer = start ? excerptOf(start, isLonger, prepared.ownValues) : null;
    this.results.add({ ...this.resultOf(due, outcome, now), sent: prepared.sent, answer });
  }

  private resultOf({ id, attempt }: DueDelivery, outcome: Outcome, attemptedAt: Date): Omit<Settled, 'sent' | 'answer'> {
    const { status: responseStatus, errorCode, durationMs } = outcome;
    const now = this.options.clock.now();
    const delayMs =
      errorCode === null || this.disabling
        ? undefined
        : nextDelayMs(this.options.retrySchedule, { attempt, retryAfterMs: retryAfterMs(outcome.retryAfter, now) });
    const next = delayMs === undefined ? undefined : { at: now.toISOString(), attemptAt: new Date(now.getTime() + delayMs).toISOString() };
    return {
      id,
      status: errorCode === null ? 'delivered' : 'failed',
      responseStatus,
      errorCode,
      durationMs,
      attemptedAt: attemptedAt.toISOString(),
      nextId: next ? idAt(next.at) : null,
      nextCreatedAt: next?.at ?? null,
      nextAttemptAt: next?.attemptAt ?? null,
    };
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

  /** Waits until a request has ended, until the next may be sent, until results must be written, or for the idle interval. */
  private async oneEnded(): Promise<void> {
    const untilNext = (this.inHand.size > 0 && this.waitMs()) || IDLE_INTERVAL_MS;
    const untilSettled = this.results.size > 0 && !this.isSettling ? this.resultsCanWaitMs() : IDLE_INTERVAL_MS;
    let cancel: (() => void) | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      cancel = this.options.clock.schedule(resolve, Math.min(IDLE_INTERVAL_MS, untilNext, untilSettled));
    });
    cancel?.();
  }

  /** Writes the results once there are many, or once the first of them has waited long enough. */
  private settleInBackground(): void {
    if (this.isSettling || this.results.size === 0 || this.resultsCanWaitMs() > 0) return;
    this.isSettling = true;
    this.settling = this.settle().finally(() => {
      this.isSettling = false;
      this.wake();
    });
    // Awaited later, by run; until then a failure must not count as an unhandled rejection.
    this.settling.catch(() => undefined);
  }

  private resultsCanWaitMs(): number {
    return Math.min(this.results.canWaitMs(this.inHand.isMoreToCome), this.rereadInMs());
  }

  private rereadInMs(): number {
    return Math.max(0, REREAD_AFTER_MS - (this.options.clock.elapsedMs() - this.readAt));
  }

  private async settle(): Promise<void> {
    const results = this.results.take();
    if (results.length === 0) return;
    this.settlingIds = results.map(({ id }) => id);
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
    const isAhead = this.results.size + this.settlingIds.length > 0;
    this.endpoint = isAhead ? { ...endpoint, failingSince: before.failingSince } : endpoint;
    if (endpoint.updatedAt !== before.updatedAt) this.prepared = undefined;
    this.pace.change(endpoint.rateLimit, this.options.clock.now());
  }

  private leaseEnd(): Date {
    return new Date(this.options.clock.now().getTime() + this.options.leaseMs);
  }
}

type PreparedEndpoint = ReturnType<typeof prepareEndpoint>;

/** What all deliveries have in common until the endpoint changes. Keys are imported once. */
function prepareEndpoint(secrets: EndpointSecrets, endpoint: WebhookEndpoint) {
  const { targetUrl: url, payload, headerNames } = endpoint;
  const ownHeaders = secrets.headersOf(endpoint);
  return {
    url,
    payload,
    ownHeaders,
    ownValues: Object.values(ownHeaders),
    keys: secrets.keysOf(endpoint),
    sent: { url, payload, headerNames },
  };
}
