import { Entity, Index } from 'typeorm';
import { IntegerColumn, JsonColumn, TenantRow, TextColumn, TimestampColumn, UuidColumn } from '../../../store/database/columns.js';
import type { AnswerExcerpt } from '../sending/answer-excerpt.js';
import type { Payload } from '../signing/message.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const TRIGGERS = ['automatic', 'manual'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** What an attempt was sent with, beside what the event says. The values of the endpoint's own headers are secrets. */
export interface SentWith {
  readonly url: string;
  readonly payload: Payload;
  readonly headerNames: readonly string[];
}

export interface HourOfAttempts {
  readonly hourMs: number;
  readonly delivered: number;
  readonly failed: number;
}

/** What a replay would send of a kind of event. */
export interface MissedKind {
  readonly kind: string;
  readonly deliveries: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

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
  /** The replay that made it, or the attempt before it. */
  @UuidColumn({ nullable: true, select: false }) replayId?: string | null;
  // Only read with a single delivery, so that the list stays lean.
  @JsonColumn({ nullable: true, select: false }) sent?: SentWith | null;
  @JsonColumn({ nullable: true, select: false }) answer?: AnswerExcerpt | null;
}
