import { DateTime, Integer, ListOf, Nested, OneOf, SetOf, Text, Timestamp, Uuid } from '../../../api/validation/fields.js';
import { subscribableKinds } from '../../../kernel/declare-event.js';
import { WebhookDeliveryResponseDto } from './webhook-delivery.dto.js';

const SINCE = 'The time since which events were missed.';

export class MissedQuery {
  @DateTime({ about: `${SINCE} Without it, all that are kept.`, optional: true, example: '2026-01-01T00:00:00Z' }) since?: string;
}

export class RedeliverDto {
  @Uuid({ about: 'Id of the delivery: of the one to send again, or of the new attempt.' }) deliveryId: string;
}

export class CreateReplayDto {
  @DateTime({ about: SINCE, example: '2026-01-01T00:00:00Z' }) since: string;
  @SetOf(subscribableKinds, {
    about: 'Only these kinds of events. Without it, all that the endpoint subscribes to.',
    optional: true,
    example: ['claim_project.created'],
  })
  eventKinds?: string[];
}

export class MissedKindDto {
  @Text({ about: 'The kind of the events.', example: 'claim_project.created' }) kind: string;
  @Integer({ about: 'How many were missed.', min: 1, example: 12 }) deliveries: number;
  @Timestamp({ about: 'When the first one happened.' }) firstAt: string;
  @Timestamp({ about: 'When the last one happened.' }) lastAt: string;
}

export class MissedDto {
  @Integer({ about: 'How many events a replay would send.', min: 0, example: 12 }) deliveries: number;
  @ListOf(MissedKindDto, { about: 'The same by kind of event.' }) kinds: MissedKindDto[];
}

export class StopReplaysDto {
  @SetOf(subscribableKinds, { about: 'Only these kinds of events. Without it, all.', optional: true, example: ['claim_project.created'] })
  eventKinds?: string[];
}

export class ReplayDto {
  @Integer({ about: 'How many events are sent, or are taken back.', min: 0, example: 12 }) deliveries: number;
}

export class CreatePingDto {
  @OneOf(subscribableKinds, {
    about: 'The kind whose example is sent, signed like an event of it. Without it, a `webhook.test` without a signature is sent.',
    optional: true,
    example: 'claim_project.created',
  })
  eventKind?: string;
}

export class PingDto {
  @Text({ about: 'What was sent: the kind, or `webhook.test`.', example: 'claim_project.created' }) eventKind: string;
  @Integer({ about: 'HTTP status of the response.', min: 100, nullable: true, example: 200 }) responseStatus: number | null;
  @Text({ about: 'Why the endpoint did not accept it, as in the delivery log; null if it did.', nullable: true, example: null })
  errorCode: string | null;
  @Integer({ about: 'Duration of the request in milliseconds.', min: 0, example: 84 }) durationMs: number;
  @Nested(WebhookDeliveryResponseDto, { about: 'What came back; null when nothing did.', nullable: true })
  response: WebhookDeliveryResponseDto | null;
}
