import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../audit/audit-recorder.js';
import { changesBetween, type Changes } from '../../kernel/changes.js';
import { Clock } from '../../kernel/time.js';
import { ENVIRONMENTS, type ChangeContext } from '../../kernel/context.js';
import { type InTransaction, type WriteContext, insertion } from '../database/unit-of-work.js';
import { newId } from '../../kernel/ids.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import { DomainEvent } from './event.entity.js';
import { Ports } from '../discovery/ports.js';

/**
 * A port: called for every event, inside the transaction that emits it. What it writes there is committed together with the
 * event, so no event is lost.
 */
export abstract class EventOutlet {
  abstract onAppended(ctx: WriteContext, event: DomainEvent): void;
}

interface PublicRecord {
  readonly id: string;
}

/** A record before and after a change, as REST returns it. `before` is null for a creation, `after` for a deletion. */
type Change = { readonly before: object | null; readonly after: PublicRecord } | { readonly before: PublicRecord; readonly after: null };

@Injectable()
export class Events {
  constructor(
    private readonly clock: Clock,
    private readonly audit: AuditRecorder,
    private readonly ports: Ports,
  ) {}

  /** Writes an event, and an audit entry with the same name, in the transaction of the change. */
  append(ctx: WriteContext, event: EventDeclaration, change: Change): void {
    const changes = this.write(ctx, event, change);
    this.audit.recordEvent(ctx, event, recordOf(change).id, changes);
  }

  /** For a record that belongs to no environment: an event in each environment, and one audit entry without one. */
  appendToAll(ctx: InTransaction<ChangeContext>, event: EventDeclaration, change: Change): void {
    for (const environment of ENVIRONMENTS) this.write({ ...ctx, environment }, event, change);
    const changes = changesBetween(change.before, change.after);
    this.audit.recordEvent({ ...ctx, environment: null }, event, recordOf(change).id, changes);
  }

  private write(ctx: WriteContext, event: EventDeclaration, change: Change): Changes {
    // The types require a transaction. This also catches a cast, since an event outside a transaction could be lost.
    if (!(ctx as Partial<WriteContext>).unit) throw new Error(`${event.kind} was appended outside a transaction.`);
    if (!ctx.emits.includes(event)) throw new Error(`${event.kind} is not among the events that were declared here.`);
    if (event.status !== 'emitted') throw new Error(`${event.kind} is ${event.status}, so it is never emitted.`);
    const changes = changesBetween(change.before, change.after);
    const data = recordOf(change);
    // Before the id: filters by time compare ids, and must find a record by its own time.
    const occurredAt = this.clock.timestamp();
    const row: DomainEvent = {
      id: newId(),
      organizationId: ctx.organizationId,
      environment: ctx.environment,
      kind: event.kind,
      resourceId: data.id,
      occurredAt,
      data,
      changedFields: event.kind.endsWith('.updated') ? Object.keys(changes) : null,
      traceparent: ctx.trace?.traceparent ?? null,
    };
    ctx.unit.lastWrites.push(insertion(DomainEvent, row));
    for (const outlet of this.ports.all(EventOutlet)) outlet.onAppended(ctx, row);
    return changes;
  }
}

/** The record that an event carries: as it is after the change or, for a deletion, as it was before. */
function recordOf({ before, after }: Change): PublicRecord {
  return after === null ? before : after;
}
