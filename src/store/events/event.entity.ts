import { Entity, Index } from 'typeorm';
import type { Environment } from '../../kernel/context.js';
import { IdColumn, JsonColumn, TextColumn, TextListColumn, TimestampColumn, UuidColumn } from '../database/columns.js';

/** Something that happened, written in the transaction in which it did. The table is divided by the time in the id. */
@Entity('events')
@Index('events_of_organization', ['organizationId', 'environment', 'id'])
export class DomainEvent {
  @IdColumn() id: string;
  @UuidColumn() organizationId: string;
  @TextColumn() environment: Environment;
  @TextColumn() kind: string;
  @UuidColumn() resourceId: string;
  @TimestampColumn() occurredAt: string;
  /** The record as REST returns it; of a deletion, as it was. */
  @JsonColumn() data: object;
  /** Of changes (`*.updated`); null with all other kinds. */
  @TextListColumn({ nullable: true }) changedFields: string[] | null;
}
