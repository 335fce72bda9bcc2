import { Entity } from 'typeorm';
import type { Environment } from '../context/request-context.js';
import { IdColumn, JsonColumn, TextColumn, TextListColumn, TimestampColumn, UuidColumn } from '../database/columns.js';

/** Something that happened, written in the transaction in which it did. */
@Entity('events')
export class DomainEvent {
  @IdColumn() id: string;
  @UuidColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TextColumn() kind: string;
  @UuidColumn() resourceId: string;
  @TimestampColumn() occurredAt: string;
  /** The record as REST returns it. */
  @JsonColumn() data: object;
  /** null where there was no record before. */
  @TextListColumn({ nullable: true }) changedFields: string[] | null;
}
