import { Injectable } from '@nestjs/common';
import { AuditRecorder } from '../audit/audit-recorder.js';
import { changesBetween } from '../audit/changes.js';
import { Clock } from '../clock/clock.js';
import type { ChangeContext, WriteContext } from '../context/request-context.js';
import { newId } from '../database/ids.js';
import { insertion } from '../database/last-writes.js';
import type { EventDeclaration } from './declare-event.js';
import { DomainEvent } from './event.entity.js';

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
  ) {}

  /** Leaves the event and the audit row of the same name in the transaction of the change: one call, so neither is forgotten. */
  append(ctx: WriteContext, event: EventDeclaration, { before, after }: Change): void {
    // Types ask for the transaction; a cast must not get past it, since an event without one could be lost.
    if (!(ctx as ChangeContext).unit) throw new Error(`${event.kind} was appended outside a transaction.`);
    if (!ctx.emits.includes(event)) throw new Error(`${event.kind} is not among the events that were declared here.`);
    const changes = changesBetween(before, after);
    const row: DomainEvent = {
      id: newId(),
      organizationId: ctx.organizationId,
      environment: ctx.environment,
      kind: event.kind,
      resourceId: after.id,
      occurredAt: this.clock.timestamp(),
      data: after,
      changedFields: before === null ? null : Object.keys(changes),
    };
    ctx.unit.atEnd.push(insertion(DomainEvent, row));
    this.audit.record(ctx, { action: event.kind, resourceId: after.id, changes });
  }
}
