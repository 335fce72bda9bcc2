import { Entity } from 'typeorm';
import type { ActorType, Environment } from '../context/request-context.js';
import { IdColumn, JsonColumn, TextColumn, TimestampColumn, UuidColumn } from '../database/columns.js';
import type { Changes } from './changes.js';

/** Who did what to which record, written in the transaction of the change. */
@Entity('audit_events')
export class AuditEvent {
  @IdColumn() id: string;
  @UuidColumn() organizationId: string;
  /** null: concerns the organization as a whole. */
  @TextColumn({ nullable: true }) environment: Environment | null;
  @TimestampColumn() occurredAt: string;
  @TextColumn() actorType: ActorType;
  @TextColumn({ nullable: true }) actorId: string | null;
  @TextColumn() actorName: string;
  @TextColumn() action: string;
  @TextColumn() resourceType: string;
  @UuidColumn() resourceId: string;
  @TextColumn({ nullable: true }) ipAddress: string | null;
  @TextColumn({ nullable: true }) requestId: string | null;
  @JsonColumn() changes: Changes;
}
