import { Entity, Index, PrimaryColumn } from 'typeorm';
import { AuditFacts } from '../../store/audit/audit-entry.entity.js';
import { BigIntegerColumn, TextColumn, TimestampColumn } from '../../store/database/columns.js';

/** A row of the sealed log. Rows are added and never changed; the table is divided by month of createdAt. */
@Entity('audit_events')
@Index('audit_events_by_environment', ['organizationId', 'environment', 'createdAt', 'id'])
@Index('audit_events_by_actor_type', ['organizationId', 'actorType', 'createdAt', 'id'])
@Index('audit_events_by_action', ['organizationId', 'action', 'createdAt', 'id'])
export class AuditEvent extends AuditFacts {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  /** When it entered the log. Of one organization, later rows have later ones, and those of one time have rising ids. */
  @PrimaryColumn({ name: 'created_at', type: 'timestamptz', precision: 3 }) createdAt: string;
  @PrimaryColumn({ type: 'uuid' }) id: string;
  @BigIntegerColumn() sequence: number;
  @TextColumn() previousHash: string;
  @TextColumn() hash: string;
}

/** Where the chain of an organization has come to. Whoever seals holds its row, so that places are given one after the other. */
@Entity('audit_chains')
export class AuditChain {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @BigIntegerColumn() sequence: number;
  @TextColumn() hash: string;
  /** null: nothing was sealed yet. */
  @TimestampColumn({ nullable: true }) sealedAt: string | null;
}
