import { Entity, Index } from 'typeorm';
import { IntegerColumn, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import { TenantRow } from '../../../store/tenant/tenant-row.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const TRIGGERS = ['automatic', 'manual'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** One attempt to send an event to an endpoint: made, or still pending. The table is partitioned by the time in the id. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_of_endpoint', ['webhookId', 'id'])
@Index('webhook_deliveries_by_status', ['webhookId', 'status', 'id'])
@Index('webhook_deliveries_by_kind', ['webhookId', 'eventKind', 'id'])
@Index('webhook_deliveries_by_event', ['webhookId', 'eventId', 'id'])
@Index('webhook_deliveries_due', ['webhookId', 'scheduledAt'], { where: "status = 'pending'" })
export class WebhookDelivery extends TenantRow {
  @UuidColumn() webhookId: string;
  @UuidColumn() eventId: string;
  @TextColumn() eventKind: string;
  @IntegerColumn() attempt: number;
  @TextColumn() trigger: Trigger;
  @TextColumn() status: DeliveryStatus;
  @IntegerColumn({ nullable: true }) responseStatus: number | null;
  @TextColumn({ nullable: true }) errorCode: string | null;
  @IntegerColumn({ nullable: true }) durationMs: number | null;
  @TimestampColumn() scheduledAt: string;
  @TimestampColumn({ nullable: true }) attemptedAt: string | null;
  @TimestampColumn({ nullable: true }) nextAttemptAt: string | null;
  /** Of the request that caused the event. */
  @TextColumn({ nullable: true }) requestId: string | null;
}
