import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { ActorType, Environment } from '../../kernel/context.js';
import { JsonColumn, TextColumn, TimestampColumn, UuidColumn } from '../database/columns.js';
import type { Changes } from '../../kernel/changes.js';

/** Who did what to which record: what a change writes, and what the audit log holds of it. */
export abstract class AuditFacts {
  /** null: concerns the organization as a whole. */
  @TextColumn({ nullable: true }) environment: Environment | null;
  @TimestampColumn() occurredAt: string;
  @TextColumn() actorType: ActorType;
  @TextColumn({ nullable: true }) actorId: string | null;
  @TextColumn() actorName: string;
  /** Sorted byte by byte, so that an index finds what begins with a prefix. */
  @TextColumn({ collation: 'C' }) action: string;
  @TextColumn() resourceType: string;
  @UuidColumn() resourceId: string;
  @TextColumn({ nullable: true }) ipAddress: string | null;
  @TextColumn({ nullable: true }) requestId: string | null;
  @JsonColumn() changes: Changes;
}

/**
 * What changes leave here, in their transaction, waits to be sealed: only then does it have a place in the log. So a writer
 * never waits for the chain, and what is not committed never has a place in it.
 */
@Entity('audit_entries')
@Index('audit_entries_by_organization', ['organizationId', 'ordinal'])
export class AuditEntry extends AuditFacts {
  /** The order in which entries were written; given by the database, whose clock is one for all replicas. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) ordinal: number;
  @UuidColumn() organizationId: string;
}
