import { Entity, Index, PrimaryColumn } from 'typeorm';
import { AuditFacts } from '../../store/audit/audit-recorder.js';
import { BigIntegerColumn, JsonColumn, TextColumn, TimestampColumn } from '../../store/database/columns.js';
import { PERSON, PersonStays, TableErasedBy, TableNotReset } from '../../store/tenant/organization-tables.js';
import type { ByPlace } from './audit-chain.js';

/** A row of the audit log. The role of the service may only add rows. The table is partitioned by the month of createdAt. */
@Entity('audit_events')
@TableNotReset('The log is kept whole.')
@PersonStays(
  ['actor_id', 'actor_name', 'ip_address', 'changes'],
  'The log had it in its hashes before the organization was such that people can be erased.',
  `commitments IS NULL AND (actor_id = (${PERSON})::text OR (resource_type = 'user' AND resource_id = ${PERSON}))`,
)
@TableErasedBy('erase_audit_events')
@Index('audit_events_by_environment', ['organizationId', 'environment', 'createdAt', 'id'])
@Index('audit_events_by_actor_type', ['organizationId', 'actorType', 'createdAt', 'id'])
@Index('audit_events_by_action', ['organizationId', 'action', 'createdAt', 'id'])
export class AuditEvent extends AuditFacts {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  /** When it was sealed. Within an organization, rows in the order of createdAt and id are in the order of the sequence. */
  @PrimaryColumn({ name: 'created_at', type: 'timestamptz', precision: 3 }) createdAt: string;
  @PrimaryColumn({ type: 'uuid' }) id: string;
  @BigIntegerColumn() sequence: number;
  @TextColumn() previousHash: string;
  @TextColumn() hash: string;
  /** What stands in the hash for what says who a person is; the row shows it as forgotten. null: it is part of the hash. */
  @JsonColumn({ type: 'jsonb', nullable: true }) commitments: ByPlace | null;
  /** Read from beside the log, with the values that they open. */
  salts?: ByPlace;
}

/** The head of the chain of an organization. A process that seals locks its row, so that sequences are assigned in order. */
@Entity('audit_chains')
export class AuditChain {
  @PrimaryColumn({ name: 'organization_id', type: 'uuid' }) organizationId: string;
  @BigIntegerColumn() sequence: number;
  @TextColumn() hash: string;
  @TimestampColumn({ nullable: true }) sealedAt: string | null;
}
