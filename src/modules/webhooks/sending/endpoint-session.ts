import { idAt } from '../../../kernel/ids.js';
import { counter, duration } from '../../../kernel/metrics.js';
import type { Clock } from '../../../kernel/time.js';
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { type EventMessage, messageOf } from '../signing/message.js';
import { excerptOf } from './answer-excerpt.js';
import type { DueDeliveriesRepository, DueDelivery, Settled } from './due-deliveries.repository.js';
import { counts } from './endpoint-health.js';
import { nextDelayMs, retryAfterMs } from './retry-schedule.js';
import { type Outcome, SEND_ERRORS, type Sender } from './sender.js';
import { type Action, type Failure, type Moment, type SessionEvent, SessionState, type Work } from './session-state.js';

const ATTEMPTS = counter(
  'deliveries_total',
  'Attempts to deliver an event, first or later, by how they ended.',
  ['attempt', 'outcome'],
  ['delivered', ...SEND_ERRORS].flatMap((outcome) => ['first', 'later'].map((attempt) => ({ attempt, outcome }))),
);
const TOOK = duration('delivery_duration_seconds', 'How long endpoints took to answer, or attempts to fail.', 'requests');

const ENDPOINTS_DISABLED = counter(
  'endpoints_disabled_total',
  'Endpoints that were disabled because they failed.',
  ['reason'],
  [{ reason: 'failing' }, { reason: 'gone' }],
);

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

/** As long as something is due and this worker holds the lease. `SessionState` decides what comes next; this carries it out. */
export class EndpointSession {
  private readonly state: SessionState;
  private prepared: PreparedEndpoint | undefined;
  private cancelWait: () => void = () => undefined;
  private end: (failure: Failure | undefined) => void = () => undefined;

  constructor(
    endpoint: WebhookEndpoint,
    private readonly lease: string,
    private readonly options: SessionOptions,
  ) {
    this.state = new SessionState(endpoint, options.concurrency, this.moment());
  }

  notBefore(next: Date): Date {
    return this.state.notBefore(next, this.options.clock.now());
  }

  /** There may be more to send. False if the session is about to end. */
  takeMore(): boolean {
    if (!this.state.isGoingOn) return false;
    this.goOn({ kind: 'told' });
    return true;
  }

  /** Ends when nothing is due, the lease is lost or the process stops. Requests in flight are finished first, even after an error. */
  async run(): Promise<void> {
    const failure = await new Promise<Failure | undefined>((resolve) => {
      this.end = resolve;
      this.goOn();
    });
    if (failure) throw failure.error;
  }

  /** After an event, or because time has passed. */
  private goOn(event?: SessionEvent): void {
    this.cancelWait();
    try {
      const at = this.moment();
      if (event) this.state.take(event, at);
      if (this.options.isStopping()) this.state.take({ kind: 'stopping' }, at);
      for (const action of this.state.next(at)) this.begin(action);
    } catch (error) {
      this.end({ error });
    }
  }

  private begin(action: Action): void {
    if (action.do === 'letGo') for (const due of action.deliveries) this.options.dueDeliveries.bodies.letGo(due);
    else if (action.do === 'wait') this.cancelWait = this.options.clock.schedule(() => this.goOn(), action.ms);
    else if (action.do === 'end') this.end(action.failure);
    else
      void this.carryOut(action)
        .catch((error: unknown): SessionEvent => ({ kind: 'failed', work: action, error }))
        .then((event) => this.goOn(event));
  }

  private async carryOut(work: Work): Promise<SessionEvent> {
    const { clock, dueDeliveries, leaseMs } = this.options;
    const { endpoint } = this.state;
    const now = clock.now();
    const until = new Date(now.getTime() + leaseMs);
    switch (work.do) {
      case 'send':
        return { kind: 'attemptEnded', id: work.due.id, result: await this.attempt(work.due) };
      case 'fetch':
        return { kind: 'fetched', due: await dueDeliveries.due(endpoint, now, work.known, work.limit) };
      case 'write': {
        const held = { until, nextSendAt: work.nextSendAt };
        return { kind: 'written', endpoint: await dueDeliveries.settle(endpoint, this.lease, held, work.results) };
      }
      case 'renew':
        return { kind: 'renewed', endpoint: await dueDeliveries.renew(endpoint, this.lease, until) };
      case 'disable':
        await dueDeliveries.disable(endpoint, this.lease, work.reason, now.toISOString());
        ENDPOINTS_DISABLED.inc({ reason: work.reason });
        return { kind: 'disabled' };
    }
  }

  /** Undefined if the event cannot be sent now. */
  private async attempt(due: DueDelivery): Promise<Settled | undefined> {
    let result: Settled | undefined;
    const isStillWanted = (): boolean => this.state.isGoingOn && !this.options.isStopping();
    await this.options.dueDeliveries.bodies.use(due, isStillWanted, async (event) => {
      if (event) result = await this.send(due, event);
    });
    return result;
  }

  private async send(due: DueDelivery, event: EventMessage): Promise<Settled> {
    const { clock, sender, retrySchedule } = this.options;
    const attemptedAt = clock.now();
    const prepared = this.prepareEndpoint();
    const outcome = await sender.send(messageOf(event, prepared, prepared.keys, attemptedAt));
    const { status: responseStatus, errorCode, durationMs, start, isLonger = false } = outcome;
    ATTEMPTS.inc({ attempt: due.attempt === 1 ? 'first' : 'later', outcome: errorCode ?? 'delivered' });
    TOOK.observe(durationMs / 1000);
    return {
      id: due.id,
      status: errorCode === null ? 'delivered' : 'failed',
      ...{ responseStatus, errorCode, durationMs },
      attemptedAt: attemptedAt.toISOString(),
      ...retryOf(due, outcome, retrySchedule, clock.now()),
      sent: prepared.sent,
      answer: start ? excerptOf(start, isLonger, prepared.ownValues) : null,
      isCounted: counts(event.kind),
    };
  }

  /** What all deliveries have in common until the endpoint changes. Keys are imported once. */
  private prepareEndpoint(): PreparedEndpoint {
    const { endpoint } = this.state;
    if (!this.prepared || this.prepared.updatedAt !== endpoint.updatedAt) this.prepared = preparedEndpoint(this.options.secrets, endpoint);
    return this.prepared;
  }

  private moment(): Moment {
    return { now: this.options.clock.now(), elapsedMs: this.options.clock.elapsedMs() };
  }
}

function retryOf({ attempt }: DueDelivery, { errorCode, retryAfter }: Outcome, schedule: readonly number[], now: Date) {
  const delayMs = errorCode === null ? undefined : nextDelayMs(schedule, { attempt, retryAfterMs: retryAfterMs(retryAfter, now) });
  if (delayMs === undefined) return { nextId: null, nextCreatedAt: null, nextAttemptAt: null };
  const nextCreatedAt = now.toISOString();
  return { nextId: idAt(nextCreatedAt), nextCreatedAt, nextAttemptAt: new Date(now.getTime() + delayMs).toISOString() };
}

type PreparedEndpoint = ReturnType<typeof preparedEndpoint>;

function preparedEndpoint(secrets: EndpointSecrets, endpoint: WebhookEndpoint) {
  const { targetUrl: url, payload, headerNames, updatedAt } = endpoint;
  const ownHeaders = secrets.headersOf(endpoint);
  const ownValues = Object.values(ownHeaders);
  return { updatedAt, url, payload, ownHeaders, ownValues, keys: secrets.keysOf(endpoint), sent: { url, payload, headerNames } };
}
