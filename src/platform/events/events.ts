import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../audit/audit-recorder.js';
import { changesBetween, type Changes } from '../audit/changes.js';
import { Clock } from '../clock/clock.js';
import { ENVIRONMENTS, type ChangeContext, type InTransaction, type WriteContext } from '../context/request-context.js';
import { newId } from '../database/ids.js';
import { insertion } from '../database/last-writes.js';
import type { EventDeclaration } from './declare-event.js';
import { DomainEvent } from './event.entity.js';
import { EventOutlets } from './event-outlets.js';

/** A record before and after a change, as REST returns it; before is null for a new one. */
interface Change {
  readonly before: object | null;
  readonly after: { readonly id: string };
}

@Injectable()
export class Events {
  constructor(
    private readonly clock: Clock,
    private readonly audit: AuditRecorder,
    private readonly outlets: EventOutlets,
  ) {}

  /** Leaves the event and the audit row of the same name in the transaction of the change: one call, so neither is forgotten. */
  append(ctx: WriteContext, event: EventDeclaration, change: Change): void {
    const changes = this.tell(ctx, event, change);
    this.audit.record(ctx, { action: event.kind, resourceId: change.after.id, changes });
  }

  /** The same for what belongs to no environment: an event in each of them, and one audit row in none. */
  appendToAll(ctx: InTransaction<ChangeContext>, event: EventDeclaration, change: Change): void {
    for (const environment of ENVIRONMENTS) this.tell({ ...ctx, environment }, event, change);
    this.audit.record({ ...ctx, environment: null }, { action: event.kind, resourceId: change.after.id, changes: changesBetween(change.before, change.after) });
  }

  private tell(ctx: WriteContext, event: EventDeclaration, { before, after }: Change): Changes {
    // Types ask for the transaction; a cast must not get past it, since an event without one could be lost.
    if (!(ctx as ChangeContext).unit) throw new Error(`${event.kind} was appended outside a transaction.`);
    if (!ctx.emits.includes(event)) throw new Error(`${event.kind} is not among the events that were declared here.`);
    if (event.status !== 'emitted') throw new Error(`${event.kind} is ${event.status}, so it is never emitted.`);
    const changes = changesBetween(before, after);
    const row: DomainEvent = {
      id: newId(),
      organizationId: ctx.organizationId,
      environment: ctx.environment,
      kind: event.kind,
      resourceId: after.id,
      occurredAt: this.clock.timestamp(),
      data: after,
      changedFields: event.kind.endsWith('.updated') ? Object.keys(changes) : null,
    };
    ctx.unit.atEnd.push(insertion(DomainEvent, row));
    this.outlets.appended(ctx, row);
    return changes;
  }
}
