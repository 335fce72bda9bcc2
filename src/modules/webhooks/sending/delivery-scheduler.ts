import { Injectable } from '@nestjs/common';
import { Settings } from '../../../kernel/settings/settings.js';
import type { WriteContext, Unit, Bind, LastWrite } from '../../../store/database/unit-of-work.js';
import { type DomainEvent, EventOutlet } from '../../../store/events/events.js';
import { Implements } from '../../../store/discovery/ports.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import { insertPendingSql } from '../deliveries/pending-deliveries.js';
import { isDeliveredToSql } from '../endpoints/endpoint-rules.js';
import { DELIVER_JOB } from './delivery.processor.js';

/** An id with the event's own time and order and an end of the endpoint's own, so that later events have later deliveries. */
const DELIVERY_ID = '(left(event.id::text, 26) || right(md5(event.id::text || endpoint.id::text), 10))::uuid';

/** In the transaction of the event, if the organization is entitled to webhooks. After the commit it wakes the workers. */
@Implements(EventOutlet)
@Injectable()
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
        ${column('text', 'kind')}, ${column('timestamptz', 'occurredAt')}) AS event (id, environment, kind, at)
      JOIN webhook_endpoints endpoint ON endpoint.organization_id = ${organization} AND endpoint.environment = event.environment
      WHERE endpoint.status = 'active' AND event.kind = ANY (endpoint.subscribed_events)
        AND ${isEntitled}`,
  );
  return `${insert} RETURNING webhook_id AS "webhookId"`;
}
