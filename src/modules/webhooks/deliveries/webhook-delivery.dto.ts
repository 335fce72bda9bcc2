import { PageQuery } from '../../../api/dto/page.js';
import { RecordDto } from '../../../api/dto/record.dto.js';
import { Integer, OneOf, Text, Timestamp, Uuid } from '../../../api/validation/fields.js';
import { DELIVERY_STATUSES, TRIGGERS, type DeliveryStatus, type Trigger, type WebhookDelivery } from './webhook-delivery.entity.js';

export class ListDeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATUSES, { about: 'Only attempts with this status.', optional: true, example: 'failed' })
  status?: DeliveryStatus;
}

export class WebhookDeliveryDto extends RecordDto {
  @Uuid({ about: 'The endpoint.' }) webhookId: string;
  @Uuid({ about: 'The event: `webhook-id` of the delivery, the same with every attempt.' }) eventId: string;
  @Text({ about: 'The kind of event.', example: 'claim_project.created' }) eventKind: string;
  @Integer({ about: 'Which attempt it is, from 1 on.', min: 1, example: 1 }) attempt: number;
  @OneOf(TRIGGERS, { about: 'Whether the schedule asked for it, or somebody by hand.', example: 'automatic' }) trigger: Trigger;
  @OneOf(DELIVERY_STATUSES, { about: 'Still to be made, answered with 2xx, or failed.', example: 'delivered' }) status: DeliveryStatus;
  @Integer({ about: 'HTTP status of the answer.', min: 100, nullable: true, example: 200 }) responseStatus: number | null;
  @Text({
    about:
      'Why it failed: `http_error`, `timeout`, `connection_failed`, `name_not_resolved`, `tls_failed`, `target_not_allowed`; or why it was not made: `endpoint_disabled`, `environment_changed`.',
    nullable: true,
    example: null,
  })
  errorCode: string | null;
  @Integer({ about: 'How long it took, in milliseconds.', min: 0, nullable: true, example: 84 }) durationMs: number | null;
  @Timestamp({ about: 'When it is or was due.' }) scheduledAt: string;
  @Timestamp({ about: 'When it was made.', nullable: true }) attemptedAt: string | null;
  @Timestamp({ about: 'When the next attempt is due, after one that failed.', nullable: true, example: null }) nextAttemptAt: string | null;
  @Text({ about: '`X-Request-Id` of the call that the event came from.', nullable: true, example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d22' })
  requestId: string | null;

  static from(row: WebhookDelivery): WebhookDeliveryDto {
    const {
      id,
      environment,
      webhookId,
      eventId,
      eventKind,
      attempt,
      trigger,
      status,
      responseStatus,
      errorCode,
      durationMs,
      scheduledAt,
      attemptedAt,
      nextAttemptAt,
      requestId,
      createdAt,
      updatedAt,
    } = row;
    return {
      id,
      environment,
      webhookId,
      eventId,
      eventKind,
      attempt,
      trigger,
      status,
      responseStatus,
      errorCode,
      durationMs,
      scheduledAt,
      attemptedAt,
      nextAttemptAt,
      requestId,
      createdAt,
      updatedAt,
    };
  }
}
