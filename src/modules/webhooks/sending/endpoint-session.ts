import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../../kernel/ids.js';
import type { DisabledReason, WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { DispatchRepository, Due, Settled } from './due-deliveries.repository.js';
import { messageOf } from './message.js';
import { nextDelayMs, retryAfterMs } from './retry-schedule.js';
import type { Outcome, Sender } from './sender.js';

/** So long an endpoint is held; a worker that dies is replaced after it. */
export const LEASE_MS = 30_000;
/** Within so long a change of the endpoint is in force, also while there is no end of deliveries. */
const REREAD_AFTER_MS = 1000;
const FETCHED_AT_ONCE = 200;
const SETTLED_AT_ONCE = 100;
/** So often results are noted, and it is looked whether more came to be due, while requests hang. */
const LOOK_AGAIN_MS = 250;
const GIVEN_UP_AFTER_MS = 5 * 86_400_000;
const GONE = 410;

export interface DrainTools {
  readonly dispatch: DispatchRepository;
  readonly sender: Sender;
  readonly now: () => Date;
  readonly secretsOf: (endpoint: WebhookEndpoint, now: Date) => string[];
  readonly schedule: readonly number[];
  readonly concurrency: number;
  /** So long the endpoint is held; a worker that dies is replaced after it. */
  readonly leaseMs: number;
  readonly isStopping: () => boolean;
}

/** Delivers what is due to one endpoint, for as long as there is something and the endpoint is ours. */
export class EndpointDrain {
  private readonly queue: Due[] = [];
  private readonly underWay = new Map<string, Promise<void>>();
  private results: Settled[] = [];
  private settling: Promise<void> = Promise.resolve();
  private isSettling = false;
  private readAt: number;
  private settledAt: number;
  private disabling: DisabledReason | undefined;
  private isOver = false;
  private lookedAt = 0;
  private lastFetchedAll = false;

  constructor(
    private endpoint: WebhookEndpoint,
    private readonly lease: string,
    private readonly tools: DrainTools,
  ) {
    this.readAt = this.settledAt = performance.now();
  }

  /** Ends when nothing is due any more, or when told to; what is under way is finished first, also when something fails. */
  async run(): Promise<void> {
    try {
      await this.fetch();
      while (!this.isOver && !this.tools.isStopping() && (this.queue.length > 0 || this.underWay.size > 0)) await this.step();
    } finally {
      await Promise.allSettled(this.underWay.values());
    }
    await this.settling;
    await this.settle();
    if (this.disabling) await this.tools.dispatch.disable(this.endpoint, this.lease, this.disabling, this.tools.now().toISOString());
  }

  private async step(): Promise<void> {
    while (this.queue.length > 0 && this.underWay.size < this.tools.concurrency) this.start(this.queue.shift()!);
    await this.oneEnded();
    this.settleMany();
    if (performance.now() - this.readAt > REREAD_AFTER_MS) await this.renew();
    const isTimeToLook = this.queue.length < FETCHED_AT_ONCE / 2 && performance.now() - this.lookedAt > LOOK_AGAIN_MS;
    if (!this.isOver && (isTimeToLook || (this.queue.length === 0 && this.lastFetchedAll))) await this.fetch();
  }

  /** More of what is due, but for what we have in hand. */
  private async fetch(): Promise<void> {
    await this.settling;
    const inHand = [...this.underWay.keys(), ...this.queue.map(({ id }) => id), ...this.results.map(({ id }) => id)];
    const due = await this.tools.dispatch.due(this.endpoint, this.tools.now(), inHand, FETCHED_AT_ONCE);
    this.lookedAt = performance.now();
    this.lastFetchedAll = due.length === FETCHED_AT_ONCE;
    this.queue.push(...due);
  }

  private start(due: Due): void {
    const attempt = this.deliver(due).finally(() => this.underWay.delete(due.id));
    this.underWay.set(due.id, attempt);
    // Where the run ends by an error nobody waits for the others any more.
    attempt.catch(() => undefined);
  }

  private async deliver(due: Due): Promise<void> {
    const now = this.tools.now();
    const outcome = await this.tools.sender.send(messageOf(due, this.endpoint.targetUrl, this.tools.secretsOf(this.endpoint, now), now));
    if (outcome.errorCode === null) this.countSuccess();
    else this.countFailure(outcome, now);
    this.results.push(this.settledOf(due, outcome, now));
  }

  private settledOf({ id, attempt }: Due, outcome: Outcome, attemptedAt: Date): Settled {
    const { status: responseStatus, errorCode, durationMs } = outcome;
    const own = { id, responseStatus, errorCode, durationMs, attemptedAt: attemptedAt.toISOString() };
    const now = this.tools.now();
    const delayMs =
      errorCode === null || this.disabling
        ? undefined
        : nextDelayMs(this.tools.schedule, { attempt, retryAfterMs: retryAfterMs(outcome.retryAfter, now) });
    const next =
      delayMs === undefined
        ? { nextId: null, nextAttemptAt: null }
        : { nextId: newId(), nextAttemptAt: new Date(now.getTime() + delayMs).toISOString() };
    return { ...own, status: errorCode === null ? 'delivered' : 'failed', ...next };
  }

  private countSuccess(): void {
    this.endpoint.failingSince = null;
    if (this.disabling === 'failing') this.disabling = undefined;
  }

  /** Who is gone, or has failed for too long, is disabled once what is under way has ended. */
  private countFailure({ status }: Outcome, now: Date): void {
    this.endpoint.failingSince ??= now.toISOString();
    if (status === GONE) this.disabling = 'gone';
    else if (now.getTime() - Date.parse(this.endpoint.failingSince) >= GIVEN_UP_AFTER_MS) this.disabling ??= 'failing';
    this.isOver ||= this.disabling !== undefined;
  }

  /** Until a request has ended, or it is time to look again. */
  private async oneEnded(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([...this.underWay.values(), delay(LOOK_AGAIN_MS, undefined, patience).catch(() => undefined)]);
    patience.abort();
  }

  /** Settles in the background once there are many results or some have waited, or once nothing else is to be sent. */
  private settleMany(): void {
    const isEarly = this.results.length < SETTLED_AT_ONCE && this.queue.length > 0 && performance.now() - this.settledAt < LOOK_AGAIN_MS;
    if (this.isSettling || this.results.length === 0 || isEarly) return;
    this.isSettling = true;
    this.settling = this.settle().finally(() => (this.isSettling = false));
    // Whoever awaits it is told; until then it must not count as unhandled.
    this.settling.catch(() => undefined);
  }

  private async settle(): Promise<void> {
    const { results } = this;
    if (results.length === 0) return;
    this.results = [];
    this.settledAt = performance.now();
    if (!(await this.tools.dispatch.settle(this.endpoint.id, this.lease, this.until(), results))) this.isOver = true;
  }

  /** Changes of the endpoint are in force from here on. What is in hand is of the environment that it had. */
  private async renew(): Promise<void> {
    const endpoint = await this.tools.dispatch.renew(this.endpoint.id, this.lease, this.until());
    this.readAt = performance.now();
    if (endpoint?.environment === this.endpoint.environment) this.endpoint = endpoint;
    else this.isOver = true;
  }

  private until(): Date {
    return new Date(this.tools.now().getTime() + this.tools.leaseMs);
  }
}
