import { FIXED_HEADERS } from '../sending/sender.js';
import { EXCERPT_BYTES } from '../sending/answer-excerpt.js';
import { bodyOf, headersOf } from '../signing/message.js';
import { Flag, FreeFormObject, Nested, Text } from '../../../api/validation/fields.js';
import { setting } from '../../../kernel/settings/setting-text.js';
import type { DeliveryMessage } from './deliveries.repository.js';
import { WebhookDeliveryDto } from './webhook-delivery.dto.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

/** Stands for the value of a header that is a secret, or of use to somebody who wants to send the message again. */
const HIDDEN = '(hidden)';

export class WebhookDeliveryRequestDto {
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

  static of(delivery: WebhookDelivery, { sent, answer, event }: DeliveryMessage): WebhookDeliveryDetailsDto {
    return {
      ...WebhookDeliveryDto.from(delivery),
      request: sent && {
        url: sent.url,
        headers: headersAsShown(delivery, sent.headerNames),
        body: event && bodyOf(event, sent.payload),
      },
      response: answer && { body: answer.body, truncated: answer.isTruncated },
    };
  }
}

/** An attempt is signed at the time at which it is made. */
function headersAsShown(
  { eventId: id, eventKind: kind, attemptedAt }: WebhookDelivery,
  ownNames: readonly string[],
): Record<string, string> {
  const own = Object.fromEntries(ownNames.map((name) => [name, HIDDEN]));
  const unsigned = headersOf({ id, kind, body: '' }, [], new Date(attemptedAt!));
  return { ...FIXED_HEADERS, ...own, ...unsigned, 'webhook-signature': HIDDEN, 'X-Service-Signature': HIDDEN };
}
