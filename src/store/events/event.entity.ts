import { Entity, Index } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import { IdColumn, JsonColumn, TextColumn, TextListColumn, TimestampColumn, UuidColumn } from '../database/columns.js';

/** An event, written in the transaction of the change. The table is partitioned by the time in the id. */
@Entity('events')
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
