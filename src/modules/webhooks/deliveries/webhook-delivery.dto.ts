import { PageQuery, RecordDto, shownFields } from '../../../api/dto/page.js';
import { DateTime, Flag, FreeFormObject, Integer, Nested, OneOf, Text, Timestamp, Uuid } from '../../../api/validation/fields.js';
import { subscribableKinds } from '../../../kernel/declare-event.js';
import { setting } from '../../../kernel/settings/setting-text.js';
import { pick } from '../../../kernel/changes.js';
import { type AnswerExcerpt, EXCERPT_BYTES } from '../sending/answer-excerpt.js';
import { FIXED_HEADERS, SEND_ERRORS } from '../sending/sender.js';
import { bodyOf, type EventMessage, headersOf, type Payload } from '../signing/message.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
export const TRIGGERS = ['automatic', 'manual'] as const;
export type Trigger = (typeof TRIGGERS)[number];
export const GIVE_UP_REASONS = ['endpoint_disabled', 'environment_changed', 'replay_stopped'] as const;
export type GiveUpReason = (typeof GIVE_UP_REASONS)[number];

/** What an attempt was sent with, beside what the event says. The values of the endpoint's own headers are secrets. */
export interface SentWith {
  readonly url: string;
  readonly payload: Payload;
  readonly headerNames: readonly string[];
}

/** What was sent in an attempt, and what came back. The event is null when it is no longer kept. */
export interface DeliveryMessage {
  readonly sent: SentWith | null;
  readonly answer: AnswerExcerpt | null;
  readonly event: EventMessage | null;
}

const codes = (all: readonly string[]): string => all.map((code) => `\`${code}\``).join(', ');

export class ListDeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATUSES, { about: 'Only deliveries with this status.', optional: true, example: 'failed' })
  status?: DeliveryStatus;

  @OneOf(subscribableKinds, { about: 'Only deliveries of events of this kind.', optional: true, example: 'claim_project.created' })
  event_kind?: string;

  @Uuid({ about: 'Only deliveries of this event.', optional: true })
  event_id?: string;

  @DateTime({ about: 'Only attempts added to the log at this time or later.', optional: true, example: '2026-01-01T00:00:00Z' })
  since?: string;

  @DateTime({ about: 'Only attempts added to the log before this time.', optional: true, example: '2099-01-01T00:00:00Z' })
  until?: string;
}

export class WebhookDeliveryDto extends RecordDto {
  @Uuid({ about: 'Id of the endpoint.' }) webhookId: string;
  @Uuid({ about: 'Id of the event, sent as `webhook-id`. All attempts of an event have the same one.' }) eventId: string;
  @Text({ about: 'Kind of the event.', example: 'claim_project.created' }) eventKind: string;
  @Integer({ about: 'Number of the attempt, starting at 1.', min: 1, example: 1 }) attempt: number;
  @OneOf(TRIGGERS, {
    about: '`automatic`: the first attempt or a scheduled retry. `manual`: requested by a user or an operator.',
    example: 'automatic',
  })
  trigger: Trigger;
  @OneOf(DELIVERY_STATUSES, {
    about: '`pending`: not sent yet. `delivered`: the endpoint responded with 2xx. `failed`: everything else.',
    example: 'delivered',
  })
  status: DeliveryStatus;
  @Integer({ about: 'HTTP status of the response.', min: 100, nullable: true, example: 200 }) responseStatus: number | null;
  @Text({ about: `Why it failed: ${codes(SEND_ERRORS)}; or was never sent: ${codes(GIVE_UP_REASONS)}.`, nullable: true, example: null })
  errorCode: string | null;
  @Integer({ about: 'Duration of the request in milliseconds.', min: 0, nullable: true, example: 84 }) durationMs: number | null;
  @Timestamp({ about: 'When the attempt is or was due.' }) scheduledAt: string;
  @Timestamp({ about: 'When the attempt was made.', nullable: true }) attemptedAt: string | null;
  @Timestamp({ about: 'After a failed attempt, when the next one is due.', nullable: true, example: null }) nextAttemptAt: string | null;
  @Text({ about: '`X-Request-Id` of the request that caused the event.', nullable: true, example: '0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d22' })
  requestId: string | null;

  static from(row: WebhookDeliveryDto): WebhookDeliveryDto {
    return pick(row, SHOWN);
  }
}

const SHOWN = shownFields(WebhookDeliveryDto);
/** Stands for the value of a header that is a secret, or of use to somebody who wants to send the message again. */
const HIDDEN = '(hidden)';

class WebhookDeliveryRequestDto {
  @Text({ about: 'The URL that it was sent to.', example: 'https://hooks.example.com/claims' }) url: string;
  @FreeFormObject({
    about: `The headers by name. Signatures and the values of the endpoint's own headers are \`${HIDDEN}\`.`,
    example: { 'content-type': 'application/json', 'webhook-signature': HIDDEN },
  })
  headers: Record<string, string>;
  @Text({
    about: `The body, byte for byte. null when the event is no longer kept (${setting('eventRetentionMs')}).`,
    nullable: true,
    example: '{"id":"0199e9a4-7c1e-7b6a-9f0e-3d1c5a7b9d21","type":"claim_project.created"}',
  })
  body: string | null;
}

export class WebhookDeliveryResponseDto {
  @Text({
    about:
      `The first ${EXCERPT_BYTES} bytes of the body, as UTF-8. Invalid bytes and control characters are replaced by U+FFFD. Secrets of ` +
      'the request that the answer repeats are masked with asterisks.',
    example: '{"error":"unknown field"}',
  })
  body: string;
  @Flag({ about: 'Whether the body was longer.', example: false }) truncated: boolean;
}

export class WebhookDeliveryDetailsDto extends WebhookDeliveryDto {
  @Nested(WebhookDeliveryRequestDto, { about: 'What was sent; null for an attempt that was not made.', nullable: true })
  request: WebhookDeliveryRequestDto | null;
  @Nested(WebhookDeliveryResponseDto, { about: 'What came back; null when nothing did. The status is `responseStatus`.', nullable: true })
  response: WebhookDeliveryResponseDto | null;

  static fromParts(delivery: WebhookDeliveryDto, { sent, answer, event }: DeliveryMessage): WebhookDeliveryDetailsDto {
    return {
      ...WebhookDeliveryDto.from(delivery),
      request: sent && { url: sent.url, headers: headersAsShown(delivery, sent.headerNames), body: event && bodyOf(event, sent.payload) },
      response: answer && { body: answer.body, truncated: answer.isTruncated },
    };
  }
}

/** An attempt is signed at the time at which it is made. */
function headersAsShown(
  { eventId: id, eventKind: kind, attemptedAt }: WebhookDeliveryDto,
  ownNames: readonly string[],
): Record<string, string> {
  const own = Object.fromEntries(ownNames.map((name) => [name, HIDDEN]));
  const unsigned = headersOf({ id, kind, body: '' }, [], new Date(attemptedAt!));
  return { ...FIXED_HEADERS, ...own, ...unsigned, 'webhook-signature': HIDDEN, 'X-Service-Signature': HIDDEN };
}
