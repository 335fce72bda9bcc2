import { Injectable } from '@nestjs/common';
import type { WriteContext, Unit } from '../../../store/database/transaction.js';
import type { LastWrite } from '../../../store/database/last-writes.js';
import type { DomainEvent } from '../../../store/events/event.entity.js';
import { EventOutlet } from '../../../store/events/event-outlet.js';
import { Implements } from '../../../store/discovery/ports.js';
import { WakeUps } from '../../../store/jobs/wake-ups.js';
import { DRAIN } from '../dispatch/drain-job.js';

/** Writes the deliveries of an event in the event's own transaction: one for each endpoint that wants it. Then it wakes who makes them. */
@Implements(EventOutlet)
@Injectable()
export class FanOut implements EventOutlet {
  /** The events of a transaction are fanned out together, at its end. */
  private readonly events = new WeakMap<Unit, DomainEvent[]>();

  constructor(private readonly wakeUps: WakeUps) {}

  appended({ unit, requestId }: WriteContext, event: DomainEvent): void {
    const others = this.events.get(unit);
    if (others) return void others.push(event);
    const events = [event];
    this.events.set(unit, events);
    unit.lastWrites.push(this.deliveriesOf(events, requestId));
  }

  private deliveriesOf(events: readonly DomainEvent[], requestId: string | null): LastWrite {
    const found = (rows: object[]): void => {
      for (const id of new Set((rows as { webhookId: string }[]).map(({ webhookId }) => webhookId))) this.wakeUps.wake(DRAIN, id);
    };
    return {
      name: 'fan_out',
      found,
      sql: (place) => {
        const column = (type: string, property: keyof DomainEvent) => `${place(events.map((event) => event[property]))}::${type}[]`;
        // An id of the event's own time and order, its last bytes left to chance: later events have later deliveries.
        return `INSERT INTO webhook_deliveries (id, organization_id, environment, created_at, updated_at, webhook_id, event_id, event_kind, attempt, trigger, status, scheduled_at, request_id)
          SELECT overlay(gen_random_uuid()::text PLACING left(event.id::text, 26) FROM 1)::uuid, endpoint.organization_id, endpoint.environment, event.at, event.at, endpoint.id, event.id, event.kind, 1, 'automatic', 'pending', event.at, ${place(requestId)}
          FROM unnest(${column('uuid', 'id')}, ${column('uuid', 'organizationId')}, ${column('text', 'environment')}, ${column('text', 'kind')}, ${column('timestamptz', 'occurredAt')}) AS event (id, organization_id, environment, kind, at)
          JOIN webhook_endpoints endpoint ON endpoint.organization_id = event.organization_id AND endpoint.environment = event.environment
          WHERE endpoint.status = 'active' AND event.kind = ANY (endpoint.subscribed_events)
          RETURNING webhook_id AS "webhookId"`;
      },
    };
  }
}
