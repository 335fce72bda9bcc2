import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { declaredEvents } from '../../kernel/declare-event.js';
import { PaginationDto, type Page } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, Changes, Complete, Flag, ListOf, Nested, OneOf, SetOf, Text, Timestamp, Without } from '../../api/validation/fields.js';
import {
  DISABLED_REASONS,
  WEBHOOK_STATUSES,
  type DisabledReason,
  type WebhookEndpoint,
  type WebhookStatus,
} from './webhook-endpoint.entity.js';

/** What may be subscribed to: also what is only planned, so that nobody has to come back for it. */
const subscribable = (): string[] =>
  declaredEvents()
    .filter(({ status }) => status !== 'test')
    .map(({ kind }) => kind);

export class CreateWebhookDto {
  @Text({ about: 'What the endpoint is called.', min: 1, max: 200, example: 'Month-end sync' })
  name: string;

  @Text({
    about:
      'Where deliveries are posted to: `https`, for test endpoints also `http`; on the public Internet, and without credentials in the address.',
    min: 1,
    max: 2048,
    format: 'uri',
    example: 'https://hooks.example.com/claims',
  })
  targetUrl: string;

  @SetOf(subscribable, {
    about: 'The kinds of events that are delivered; kinds that are only planned may be named already.',
    example: ['claim_project.created', 'claim_project.updated'],
  })
  subscribedEvents: string[];

  @Text({ about: 'What it is for.', max: 1000, optional: true, nullable: true, example: 'Keeps the ledger in step' })
  description?: string | null;

  @OneOf(ENVIRONMENTS, {
    about: 'The environment whose events are delivered: that of the credential when left out; a test credential has no other choice.',
    optional: true,
    example: undefined,
  })
  environment?: Environment;

  @OneOf(WEBHOOK_STATUSES, {
    about: 'A disabled endpoint is delivered nothing, also not what was due before; the events are kept for 30 days, and can be replayed.',
    optional: true,
    default: 'active',
    example: 'active',
  })
  status?: WebhookStatus;
}

export class UpdateWebhookDto extends Changes(CreateWebhookDto) {
  @Flag({
    about: '`true` makes a new signing secret, which this answer alone holds; for 24 hours deliveries are signed with the old one, too.',
    only: true,
    optional: true,
    example: true,
  })
  rotateSecret?: true;
}

export class WebhookDto extends Both(RecordDto, Without(Complete(CreateWebhookDto), ['environment'])) {
  @OneOf(DISABLED_REASONS, {
    about: 'Why it is disabled: by you (`manual`), because deliveries failed for five days (`failing`), because it answered 410 (`gone`).',
    nullable: true,
    example: null,
  })
  disabledReason: DisabledReason | null;
  @Text({ about: 'The last characters of the signing secret.', example: 'b0s=' }) secretHint: string;
  @Timestamp({ about: 'Until when deliveries are signed with the secret before it, too.', nullable: true, example: null })
  previousSecretExpiresAt: string | null;
  @Timestamp({ about: 'When a delivery last succeeded.', nullable: true, example: null }) lastDeliveryAt: string | null;

  static from(row: WebhookEndpoint): WebhookDto {
    const {
      id,
      environment,
      name,
      targetUrl,
      subscribedEvents,
      description,
      status,
      disabledReason,
      secretHint,
      previousSecretExpiresAt,
      lastDeliveryAt,
      createdAt,
      updatedAt,
    } = row;
    return {
      id,
      environment,
      name,
      targetUrl,
      subscribedEvents,
      description,
      status,
      disabledReason,
      secretHint,
      previousSecretExpiresAt,
      lastDeliveryAt,
      createdAt,
      updatedAt,
    };
  }
}

export class WebhookWithSecretDto extends WebhookDto {
  @Text({
    about: 'The signing secret, for any Standard Webhooks library. It is in this answer and in no other.',
    optional: true,
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  secret?: string;
}

export class WebhookListDto implements Page<WebhookDto> {
  @ListOf(WebhookDto, { about: 'All endpoints, newest first, on one page.' }) data: WebhookDto[];
  @Nested(PaginationDto, { about: 'The same as with other lists; there is one page.' }) pagination: PaginationDto;
}
