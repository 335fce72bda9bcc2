import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/time.js';
import type { ChangeContext } from '../../kernel/context.js';
import { type InTransaction, insertion } from '../database/unit-of-work.js';
import { AuditEntry } from './audit-entry.entity.js';
import type { AuditAction } from '../../kernel/audit-actions.js';
import { loggable, type Changes } from '../../kernel/changes.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';

export type { AuditAction };

export interface NewAuditEntry {
  /** `api_key.revoked`: the resource and what happened to it. */
  readonly action: AuditAction;
  readonly resourceId: string;
  readonly changes: Changes;
}

/** Writes an audit entry in the transaction of the change. */
@Injectable()
export class AuditRecorder {
  constructor(private readonly clock: Clock) {}

  record(ctx: InTransaction<ChangeContext>, entry: NewAuditEntry): void {
    this.write(ctx, entry);
  }

  /** The entry of an event: its kind is the action. */
  recordEvent(ctx: InTransaction<ChangeContext>, { kind }: EventDeclaration, resourceId: string, changes: Changes): void {
    this.write(ctx, { action: kind, resourceId, changes });
  }

  private write(
    ctx: InTransaction<ChangeContext>,
    { action, resourceId, changes }: Omit<NewAuditEntry, 'action'> & { readonly action: string },
  ): void {
    const entry: Omit<AuditEntry, 'ordinal'> = {
      organizationId: ctx.organizationId,
      environment: ctx.environment,
      occurredAt: this.clock.timestamp(),
      actorType: ctx.actor.type,
      actorId: ctx.actor.id,
      actorName: ctx.actor.name,
      action,
      resourceType: action.split('.')[0]!,
      resourceId,
      ipAddress: ctx.ipAddress,
      requestId: ctx.requestId,
      changes: loggable(changes),
    };
    ctx.unit.lastWrites.push(insertion(AuditEntry, entry));
  }
}
