import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { WriteContext } from '../../../platform/context/request-context.js';
import type { LastWrite } from '../../../platform/database/last-writes.js';
import type { Unit } from '../../../platform/database/unit-of-work.js';
import type { DomainEvent } from '../../../platform/events/event.entity.js';
import { EventOutlets, type EventOutlet } from '../../../platform/events/event-outlets.js';
import { WakeUps } from '../../../platform/jobs/wake-ups.js';
import { DRAIN } from './drain-job.js';

/** Writes the deliveries of an event in the event's own transaction: one for each endpoint that wants it. Then it wakes who makes them. */
@Injectable()
export class FanOut implements EventOutlet, OnModuleInit {
  /** The events of a transaction are fanned out together, at its end. */
  private readonly events = new WeakMap<Unit, DomainEvent[]>();

  constructor(
    private readonly outlets: EventOutlets,
    private readonly wakeUps: WakeUps,
  ) {}

  onModuleInit(): void {
    this.outlets.register(this);
  }

  appended({ unit, requestId }: WriteContext, event: DomainEvent): void {
    const others = this.events.get(unit);
    if (others) return void others.push(event);
    const events = [event];
    this.events.set(unit, events);
    unit.atEnd.push(this.deliveriesOf(events, requestId));
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
