import { FORGOTTEN } from '../../kernel/audit-actions.js';
import { Injectable } from '@nestjs/common';
import { Entity, Index } from 'typeorm';
import { type Changes, changesBetween } from '../../kernel/changes.js';
import { type ChangeContext, ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import { firstIdOf, newId } from '../../kernel/ids.js';
import { Clock } from '../../kernel/time.js';
import { type AuditAction, AuditRecorder } from '../audit/audit-recorder.js';
import { IdColumn, JsonColumn, TextColumn, TextListColumn, TimestampColumn, UuidColumn } from '../database/columns.js';
import { prepared } from '../database/database.js';
import { type PartitionedTable, PartitionRetention, RETENTION_INTERVAL_MS } from '../database/partitions.js';
import { insertion, type InTransaction, type WriteContext } from '../database/unit-of-work.js';
import { Ports } from '../discovery/ports.js';
import { Job } from '../jobs/job.decorator.js';
import { NamesPerson, PERSON } from '../tenant/organization-tables.js';

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

  /** Writes an event, and an audit entry with the same name, or one of its others, in the transaction of the change. */
  append(ctx: WriteContext, event: EventDeclaration, change: Change, action?: AuditAction): void {
    if (action && !event.actions?.includes(action)) throw new Error(`${event.kind} does not name the action ${action}.`);
    const changes = this.write(ctx, event, change);
    this.audit.recordEvent(ctx, event, recordOf(change).id, changes, action);
  }

  /** For a record that belongs to no environment: an event in each environment, and one audit entry without one. */
  appendToAll(ctx: InTransaction<ChangeContext>, event: EventDeclaration, change: Change): void {
    for (const environment of ENVIRONMENTS) this.write({ ...ctx, environment }, event, change);
    const changes = changesBetween(change.before, change.after);
    this.audit.recordEvent({ ...ctx, environment: null }, event, recordOf(change).id, changes);
  }

  /** An event of any kind, of which nothing happened: only in the test environment. Its caller writes the audit entry. */
  appendInvented(ctx: WriteContext, event: EventDeclaration, data: PublicRecord, changedFields: string[] | null): string {
    if (ctx.environment !== 'test') throw new Error(`${event.kind} was invented outside of the test environment.`);
    return this.place(ctx, event, data, changedFields);
  }

  private write(ctx: WriteContext, event: EventDeclaration, change: Change): Changes {
    // The types require a transaction. This also catches a cast, since an event outside a transaction could be lost.
    if (!(ctx as Partial<WriteContext>).unit) throw new Error(`${event.kind} was appended outside a transaction.`);
    if (!ctx.emits.includes(event)) throw new Error(`${event.kind} is not among the events that were declared here.`);
    if (event.status !== 'emitted') throw new Error(`${event.kind} is ${event.status}, so it is never emitted.`);
    const changes = changesBetween(change.before, change.after);
    this.place(ctx, event, recordOf(change), event.kind.endsWith('.updated') ? Object.keys(changes) : null);
    return changes;
  }

  private place(ctx: WriteContext, { kind }: EventDeclaration, data: PublicRecord, changedFields: string[] | null): string {
    // Before the id: filters by time compare ids, and must find a record by its own time.
    const occurredAt = this.clock.timestamp();
    const row: DomainEvent = {
      id: newId(),
      organizationId: ctx.organizationId,
      environment: ctx.environment,
      kind,
      resourceId: data.id,
      occurredAt,
      data,
      changedFields,
      traceparent: ctx.trace?.traceparent ?? null,
    };
    ctx.unit.lastWrites.push(insertion(DomainEvent, row));
    for (const outlet of this.ports.all(EventOutlet)) outlet.onAppended(ctx, row);
    return row.id;
  }
}

const recordOf = ({ before, after }: Change): PublicRecord => (after === null ? before : after);

/** How long after it happened an event is settled, unless a transaction takes longer. */
export const SETTLED_AFTER_MS = 2000;

/**
 * Events with an earlier id than that of `at` are committed, or never will be. An event gets its id before it is committed. No
 * transaction that is still open can commit an event that is older than it, but for the difference between the clocks of the machines.
 * The statement's own transaction counts too, so the time is always past.
 */
export const SETTLED_EVENTS = prepared({
  name: 'events.settled',
  text: `SELECT min(xact_start) - interval '${SETTLED_AFTER_MS} ms' AS at FROM pg_stat_activity
    WHERE datname = current_database() AND usename = session_user AND backend_type = 'client backend'`,
});

/** The id that all settled events are before. `rows` are those of the statement. */
export function settledBefore([row]: readonly { readonly at: string | null }[]): string {
  if (!row?.at) throw new Error('Postgres does not tell when transactions began: its setting track_activities is off.');
  return firstIdOf(new Date(row.at));
}

@Injectable()
export class EventRetention extends PartitionRetention {
  protected readonly table: PartitionedTable = { table: 'events', by: 'id', period: 'week' };

  @Job({
    id: 'events.retain',
    summary: 'Creates partitions for future events and drops those that are older than EVENT_RETENTION.',
    everyMs: RETENTION_INTERVAL_MS,
  })
  retain(): Promise<void> {
    return this.apply(this.settings.eventRetentionMs);
  }
}

/** An event, written in the transaction of the change. The table is partitioned by the time in the id. */
@Entity('events')
@NamesPerson(`kind LIKE 'user.%' AND resource_id = ${PERSON}`, {
  data: `((data::jsonb - 'customFields') || jsonb_build_object('name', '${FORGOTTEN}', 'email', '${FORGOTTEN}'))::json`,
})
@NamesPerson(`data #>> '{by,id}' = (${PERSON})::text`, { data: `jsonb_set(data::jsonb, '{by,name}', '"${FORGOTTEN}"')::json` })
@Index('events_of_organization', ['organizationId', 'environment', 'id'])
export class DomainEvent {
  @IdColumn() id: string;
  @IdColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TextColumn() kind: string;
  @UuidColumn() resourceId: string;
  @TimestampColumn() occurredAt: string;
  /** The record as REST returns it; for a deletion, the record as it was. */
  @JsonColumn() data: object;
  /** Only for `*.updated`; null for all other kinds. */
  @TextListColumn({ nullable: true }) changedFields: string[] | null;
  /** Of the request that caused it, if that was traced. */
  @TextColumn({ nullable: true }) traceparent: string | null;
}
