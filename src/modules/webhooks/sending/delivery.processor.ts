import { type OnModuleDestroy } from '@nestjs/common';
import { newId } from '../../../kernel/ids.js';
import { Settings } from '../../../kernel/settings/settings.js';
import type { Clock } from '../../../kernel/time.js';
import { DatabaseClock } from '../../../store/database/database-clock.js';
import { Implements } from '../../../store/discovery/ports.js';
import { Job } from '../../../store/jobs/job.decorator.js';
import type { Execution } from '../../../store/jobs/job-registry.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import { type Waiting, WaitingWork } from '../../../store/metrics/gauges.js';
import { HEALTH_EVENTS } from '../webhooks.events.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { DueDeliveriesRepository } from './due-deliveries.repository.js';
import { EndpointSession } from './endpoint-session.js';
import { Sender } from './sender.js';
import type { WriteContext, Unit, Bind, LastWrite } from '../../../store/database/unit-of-work.js';
import { type DomainEvent, EventOutlet } from '../../../store/events/events.js';
import { insertPendingSql } from '../deliveries/pending-deliveries.js';
import { isDeliveredToSql, isOfProjectsSql, projectIdOf } from '../endpoints/endpoint-rules.js';

/** An id with the event's own time and order and an end of the endpoint's own, so that later events have later deliveries. */
const DELIVERY_ID = '(left(event.id::text, 26) || right(md5(event.id::text || endpoint.id::text), 10))::uuid';

/**
 * In the transaction of the event, if the organization is entitled to webhooks. After the commit it wakes the workers. No endpoint is told
 * of itself.
 */
@Implements(EventOutlet)
export class DeliveryScheduler implements EventOutlet {
  /** The events of a transaction; one statement at its end writes the deliveries of all of them. */
  private readonly events = new WeakMap<Unit, DomainEvent[]>();
  private readonly isEntitled: string;

  constructor(
    private readonly wakeUps: WakeUps,
    settings: Settings,
  ) {
    this.isEntitled = isDeliveredToSql('endpoint.organization_id', settings.plans);
  }

  onAppended({ unit, requestId }: WriteContext, event: DomainEvent): void {
    const others = this.events.get(unit);
    if (others) return void others.push(event);
    const events = [event];
    this.events.set(unit, events);
    unit.lastWrites.push(this.deliveriesOf(events, requestId));
  }

  private deliveriesOf(events: readonly DomainEvent[], requestId: string | null): LastWrite {
    const onReturned = (rows: object[]): void => {
      const webhookIds = new Set((rows as { webhookId: string }[]).map(({ webhookId }) => webhookId));
      for (const id of webhookIds) this.wakeUps.wake(DELIVER_JOB, id);
    };
    return { name: 'fan_out', onReturned, sql: (bind) => schedulingSql(events, requestId, this.isEntitled, bind) };
  }
}

/** `isEntitled` is a condition. */
function schedulingSql(events: readonly DomainEvent[], requestId: string | null, isEntitled: string, bind: Bind): string {
  // All are of one organization. As a value it tells the planner where the rows are.
  const organization = `${bind(events[0]!.organizationId)}::uuid`;
  const column = (type: string, property: keyof DomainEvent) => `${bind(events.map((event) => event[property]))}::${type}[]`;
  const insert = insertPendingSql(
    {
      id: DELIVERY_ID,
      organizationId: organization,
      environment: 'endpoint.environment',
      createdAt: 'event.at',
      webhookId: 'endpoint.id',
      eventId: 'event.id',
      eventKind: 'event.kind',
      attempt: '1',
      trigger: "'automatic'",
      // A process whose clock is ahead must not delay it. Times have milliseconds.
      scheduledAt: "least(event.at, date_trunc('milliseconds', clock_timestamp()))",
      requestId: bind(requestId),
      replayId: 'NULL',
    },
    `FROM unnest(${column('uuid', 'id')}, ${column('text', 'environment')},
        ${column('text', 'kind')}, ${column('timestamptz', 'occurredAt')}, ${column('uuid', 'resourceId')},
        ${bind(events.map(projectIdOf))}::text[]) AS event (id, environment, kind, at, resource_id, project_id)
      JOIN webhook_endpoints endpoint ON endpoint.organization_id = ${organization} AND endpoint.environment = event.environment
      WHERE endpoint.status = 'active' AND endpoint.id <> event.resource_id AND event.kind = ANY (endpoint.subscribed_events)
        AND ${isOfProjectsSql('endpoint.project_ids', 'event.project_id')} AND ${isEntitled}`,
  );
  return `${insert} RETURNING webhook_id AS "webhookId"`;
}

/** Wakes endpoints when their next delivery is due: one timer for each endpoint, for the earliest time that is known. */
class DueTimers {
  private readonly timers = new Map<string, { readonly dueAt: number; readonly cancel: () => void }>();

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'schedule'>,
    private readonly wake: (webhookId: string) => void,
  ) {}

  set(webhookId: string, dueAt: Date): void {
    const known = this.timers.get(webhookId);
    if (known && known.dueAt <= dueAt.getTime()) return;
    known?.cancel();
    const run = (): void => {
      this.timers.delete(webhookId);
      this.wake(webhookId);
    };
    const cancel = this.clock.schedule(run, Math.max(0, dueAt.getTime() - this.clock.now().getTime()));
    this.timers.set(webhookId, { dueAt: dueAt.getTime(), cancel });
  }

  clear(): void {
    for (const { cancel } of this.timers.values()) cancel();
    this.timers.clear();
  }
}

/** Woken with the id of an endpoint it delivers to that endpoint, without one to all that have due deliveries, when they are due. */
export const DELIVER_JOB = 'webhooks.deliver';
/** How often the worker polls for deliveries that are due or soon will be: retries, and deliveries whose wake-up was lost. */
const POLL_INTERVAL_MS = 5000;
/** What is due within this time gets a timer. Longer than the interval, so that a late poll misses nothing. */
const LOOK_AHEAD_MS = 2 * POLL_INTERVAL_MS;

/** Overdue endpoints, as after an outage, begin one by one: all at once they would keep the statements for new deliveries waiting. */
const OVERDUE_EVERY_MS = 20;

/** How long a worker holds an endpoint: longer than any request may take. If the worker dies, another takes over after this. */
const leaseMsOf = ({ webhookTimeoutMs }: Settings): number => Math.max(5000, 2 * webhookTimeoutMs);

/** One worker at a time delivers to an endpoint, in a session of its own: one that hangs or fails does not delay the others. */
@Implements(WaitingWork)
export class DeliveryProcessor implements OnModuleDestroy, WaitingWork {
  readonly table = 'webhook_deliveries';
  private isStopping = false;
  private readonly timers: DueTimers;

  constructor(
    private readonly dueDeliveries: DueDeliveriesRepository,
    private readonly sender: Sender,
    private readonly secrets: EndpointSecrets,
    wakeUps: WakeUps,
    private readonly settings: Settings,
    private readonly clock: DatabaseClock,
  ) {
    this.timers = new DueTimers(clock, (webhookId) => wakeUps.wakeLocally(DELIVER_JOB, webhookId));
  }

  /** Sessions finish the requests they have sent and start no more. What is still due waits for another worker or the next start. */
  onModuleDestroy(): void {
    this.isStopping = true;
    this.timers.clear();
  }

  @Job({ id: DELIVER_JOB, summary: 'Sends due deliveries to webhook endpoints.', everyMs: POLL_INTERVAL_MS, emits: HEALTH_EVENTS })
  async deliver(webhookId?: string, execution?: Execution): Promise<void> {
    if (webhookId !== undefined) return this.deliverTo(webhookId, execution);
    const soon = await this.dueDeliveries.endpointsDueBefore(this.lookAhead());
    const now = this.clock.now();
    const overdue = soon.filter(({ dueAt }) => dueAt <= now);
    // Each worker begins with another one, since only one of them can hold an endpoint.
    const first = Math.floor(Math.random() * overdue.length);
    for (const { id, dueAt } of soon) if (dueAt > now) this.timers.set(id, dueAt);
    [...overdue.slice(first), ...overdue.slice(0, first)].forEach(({ id }, index) =>
      this.timers.set(id, new Date(now.getTime() + index * OVERDUE_EVERY_MS)),
    );
  }

  /** The endpoints with due deliveries that no worker holds: of one that is held, the endpoint itself sets the pace. */
  async waiting(): Promise<Waiting> {
    const due = await this.dueDeliveries.endpointsDueBefore(this.clock.now());
    const first = Math.min(...due.map(({ dueAt }) => dueAt.getTime()));
    return { length: due.length, since: due.length > 0 ? new Date(first).toISOString() : null };
  }

  private async deliverTo(webhookId: string, execution: Execution = {}): Promise<void> {
    const lease = newId();
    const leaseMs = leaseMsOf(this.settings);
    const endpoint = await this.dueDeliveries.acquire(webhookId, lease, new Date(this.clock.now().getTime() + leaseMs));
    if (!endpoint) return;
    const session = new EndpointSession(endpoint, lease, {
      dueDeliveries: this.dueDeliveries,
      sender: this.sender,
      clock: this.clock,
      secrets: this.secrets,
      retrySchedule: this.settings.webhookRetrySchedule,
      concurrency: this.settings.webhookMaxConcurrency,
      leaseMs,
      isStopping: () => this.isStopping,
    });
    execution.onWoken = () => session.takeMore();
    try {
      await session.run();
    } finally {
      await this.dueDeliveries.release(endpoint, lease);
    }
    // For retries, and for deliveries that were written while the endpoint was still held.
    const next = await this.dueDeliveries.nextDueAt(endpoint);
    if (next && next < this.lookAhead()) this.timers.set(webhookId, session.notBefore(next));
  }

  private lookAhead(): Date {
    return new Date(this.clock.now().getTime() + LOOK_AHEAD_MS);
  }
}
