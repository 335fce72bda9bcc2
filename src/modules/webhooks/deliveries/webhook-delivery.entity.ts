import { Entity, Index } from 'typeorm';
import { RowOf } from '../../../api/validation/record-fields.js';
import { JsonColumn, UuidColumn } from '../../../store/database/columns.js';
import type { AnswerExcerpt } from '../sending/answer-excerpt.js';
import { type SentWith, WebhookDeliveryDto } from './webhook-delivery.dto.js';
import { NamesPerson, PERSON, PersonStays, ResetWhere } from '../../../store/tenant/organization-tables.js';

export interface HourOfAttempts {
  readonly hourMs: number;
  readonly delivered: number;
  readonly failed: number;
}

/** One attempt to send an event to an endpoint: made, or still pending. The table is partitioned by the time in the id. */
@Entity('webhook_deliveries')
/** No index finds those of endpoints that were deleted, which are not shown either. They go with their age. */
@ResetWhere('webhook_id IN (SELECT endpoint.id FROM webhook_endpoints endpoint WHERE endpoint.organization_id = :organizationId)')
@PersonStays(['sent'], 'It is the address of the endpoint.')
@NamesPerson(
  `event_id IN (SELECT id FROM events WHERE organization_id = :organizationId
    AND ((kind LIKE 'user.%' AND resource_id = ${PERSON}) OR data #>> '{by,id}' = (${PERSON})::text))`,
  { answer: 'NULL' },
)
@Index('webhook_deliveries_of_endpoint', ['webhookId', 'id'])
@Index('webhook_deliveries_by_status', ['webhookId', 'status', 'id'])
@Index('webhook_deliveries_by_kind', ['webhookId', 'eventKind', 'id'])
@Index('webhook_deliveries_by_event', ['webhookId', 'eventId', 'id'])
@Index('webhook_deliveries_due', ['webhookId', 'scheduledAt'], { where: "status = 'pending'" })
export class WebhookDelivery extends RowOf(WebhookDeliveryDto) {
  /** The replay that made it, or the attempt before it. */
  @UuidColumn({ nullable: true, select: false }) replayId?: string | null;
  // Only read with a single delivery, so that the list stays lean.
  @JsonColumn({ nullable: true, select: false }) sent?: SentWith | null;
  @JsonColumn({ nullable: true, select: false }) answer?: AnswerExcerpt | null;
}
