import { Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { ActorType, Environment } from '../../kernel/context.js';
import { IdColumn, JsonColumn, TextColumn, TimestampColumn, UuidColumn } from '../database/columns.js';
import type { Changes } from '../../kernel/changes.js';

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
@Index('audit_entries_by_organization', ['organizationId', 'ordinal'])
export class AuditEntry extends AuditFacts {
  /** The order in which entries were written. From the database, since the clocks of replicas differ. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) ordinal: number;
  @IdColumn() organizationId: string;
}
