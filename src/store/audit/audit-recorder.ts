import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { atMost } from '../../kernel/bounded.js';
import type { AuditAction } from '../../kernel/audit-actions.js';
import { type Changes, loggable } from '../../kernel/changes.js';
import type { ChangeContext, ActorType, Environment } from '../../kernel/context.js';
import { getOrCreate } from '../../kernel/get-or-create.js';
import type { EventDeclaration } from '../../kernel/declare-event.js';
import { Log } from '../../kernel/log.js';
import { Clock } from '../../kernel/time.js';
import { IdColumn, JsonColumn, TextColumn, TimestampColumn, UuidColumn } from '../database/columns.js';
import { insertion, type InTransaction, UnitOfWork } from '../database/unit-of-work.js';
import { PersonStays, TableNotReset } from '../tenant/organization-tables.js';

export type { AuditAction };

export interface NewAuditEntry {
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

  recordEvent(
    ctx: InTransaction<ChangeContext>,
    { kind }: EventDeclaration,
    resourceId: string,
    changes: Changes,
    action?: AuditAction,
  ): void {
    this.write(ctx, { action: action ?? kind, resourceId, changes });
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
      personId: ctx.actor.person ?? null,
    };
    ctx.unit.lastWrites.push(insertion(AuditEntry, entry));
  }
}

const WINDOW_MS = 60_000;
const MAX_BUDGETS = 10_000;

/** An audit entry that somebody outside can cause as often as they like. */
interface ThrottledEntry {
  readonly ctx: ChangeContext;
  readonly entry: NewAuditEntry;
  /** Whose budget it counts against, such as a credential or an organization. */
  readonly budget: string;
  readonly maxPerMinute: number;
  /** Entries of a budget with the same key are written once a minute. */
  readonly key: string;
}

/** Without repeats, so nobody fills a log. Callers do not wait: the time would tell them that the credential or the user exists. */
@Injectable()
export class ThrottledRecorder implements BeforeApplicationShutdown {
  /** The keys written in the current minute, by budget. */
  private readonly written = new LRUCache<string, Set<string>>({ ...atMost(MAX_BUDGETS), ttl: WINDOW_MS, ttlResolution: 0 });
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditRecorder,
    private readonly log: Log,
  ) {}

  record({ ctx, entry, budget, maxPerMinute, key }: ThrottledEntry): void {
    const written = getOrCreate(this.written, budget, () => new Set<string>());
    if (written.has(key) || written.size >= maxPerMinute) return;
    written.add(key);
    const write = this.unitOfWork
      .run(ctx, (inner) => Promise.resolve(this.audit.record(inner, entry)))
      .catch((error: unknown) => {
        written.delete(key);
        this.log.warn({ err: error, action: entry.action }, 'audit entry lost');
      });
    this.pending.add(write);
    void write.finally(() => this.pending.delete(write));
  }

  async settled(): Promise<void> {
    await Promise.all(this.pending);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.settled();
  }
}

export abstract class AuditFacts {
  /** null: the change concerns the whole organization. */
  @TextColumn({ nullable: true }) environment: Environment | null;
  @TimestampColumn() occurredAt: string;
  @TextColumn() actorType: ActorType;
  @TextColumn({ nullable: true }) actorId: string | null;
  @TextColumn() actorName: string;
  /** Collation C, so that an index finds actions by prefix. */
  @TextColumn({ collation: 'C' }) action: string;
  @TextColumn() resourceType: string;
  @UuidColumn() resourceId: string;
  @TextColumn({ nullable: true }) ipAddress: string | null;
  @TextColumn({ nullable: true }) requestId: string | null;
  @JsonColumn() changes: Changes;
}

/** A worker seals it later, and assigns its sequence: no writer waits for the chain, and only what is committed gets a sequence. */
@Entity('audit_entries')
@TableNotReset('The log is kept whole.')
@PersonStays(['actor_id', 'actor_name', 'ip_address', 'changes'], 'They are in the log within a second.')
@Index('audit_entries_by_organization', ['organizationId', 'ordinal'])
export class AuditEntry extends AuditFacts {
  /** The order in which entries were written. From the database, since the clocks of replicas differ. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) ordinal: number;
  @IdColumn() organizationId: string;
  /** Who is named as the actor, where that is another one than the actor itself. */
  @UuidColumn({ nullable: true }) personId: string | null;
}
