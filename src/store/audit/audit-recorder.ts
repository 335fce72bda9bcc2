import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { ChangeContext } from '../../kernel/context.js';
import type { InTransaction } from '../database/transaction.js';
import { insertion } from '../database/last-writes.js';
import { AuditEntry } from './audit-entry.entity.js';
import { loggable, type Changes } from '../../kernel/changes.js';

export interface NewAuditEntry {
  /** `api_key.revoked`: the resource and what happened to it. */
  readonly action: string;
  readonly resourceId: string;
  readonly changes: Changes;
}

/** Writes an audit entry in the transaction of the change. */
@Injectable()
export class AuditRecorder {
  constructor(private readonly clock: Clock) {}

  record(ctx: InTransaction<ChangeContext>, { action, resourceId, changes }: NewAuditEntry): void {
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
