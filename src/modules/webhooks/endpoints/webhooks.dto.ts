import { ENVIRONMENTS, type Environment } from '../../../kernel/context.js';
import { subscribableKinds } from '../../../kernel/declare-event.js';
import { inWords } from '../../../kernel/durations.js';
import { setting } from '../../../kernel/settings/setting-text.js';
import { PaginationDto, type Page } from '../../../api/dto/page.js';
import { RecordDto } from '../../../api/dto/record.dto.js';
import { Both, Changes, Complete, Flag, ListOf, Nested, OneOf, SetOf, Text, Timestamp, Without } from '../../../api/validation/fields.js';
import { DISABLED_AFTER_FAILING_MS, SECRET_OVERLAP_MS } from './endpoint-rules.js';
import {
  DISABLED_REASONS,
  WEBHOOK_STATUSES,
  type DisabledReason,
  type WebhookEndpoint,
  type WebhookStatus,
} from './webhook-endpoint.entity.js';

export class CreateWebhookDto {
  @Text({ about: 'Name of the endpoint.', min: 1, max: 200, example: 'Month-end sync' })
  name: string;

  @Text({
    about:
      'URL that deliveries are posted to. It must use `https` (`http` is also allowed for test endpoints), be reachable on the public ' +
      'Internet and contain no user name or password.',
    min: 1,
    max: 2048,
    format: 'uri',
    example: 'https://hooks.example.com/claims',
  })
  targetUrl: string;

  @SetOf(subscribableKinds, {
    about: 'Kinds of events to deliver. Kinds that are only planned are accepted too.',
    example: ['claim_project.created', 'claim_project.updated'],
  })
  subscribedEvents: string[];

  @Text({ about: 'What the endpoint is for.', max: 1000, optional: true, nullable: true, example: 'Keeps the ledger in step' })
  description?: string | null;

  @OneOf(ENVIRONMENTS, {
    about: 'Environment whose events are delivered. Defaults to the environment of the credential; a test credential can only use `test`.',
    optional: true,
    example: undefined,
  })
  environment?: Environment;

  @OneOf(WEBHOOK_STATUSES, {
    about:
      'A disabled endpoint receives nothing, and its pending deliveries are given up. Events can be replayed for ' +
      `${setting('eventRetentionMs')}.`,
    optional: true,
    default: 'active',
    example: 'active',
  })
  status?: WebhookStatus;
}

export class UpdateWebhookDto extends Changes(CreateWebhookDto) {
  @Flag({
    about:
      '`true` creates a new signing secret, which only this response contains. Deliveries are also signed with the old secret for ' +
      `${inWords(SECRET_OVERLAP_MS)}.`,
    only: true,
    optional: true,
    example: true,
  })
  rotateSecret?: true;
}

export class WebhookDto extends Both(RecordDto, Without(Complete(CreateWebhookDto), ['environment'])) {
  @OneOf(DISABLED_REASONS, {
    about:
      `Why the endpoint is disabled: by you (\`manual\`), because all deliveries failed for ${inWords(DISABLED_AFTER_FAILING_MS)} ` +
      '(`failing`) or because it responded with 410 (`gone`).',
    nullable: true,
    example: null,
  })
  disabledReason: DisabledReason | null;
  @Text({ about: 'Last characters of the signing secret.', example: 'b0s=' }) secretHint: string;
  @Timestamp({ about: 'Until when deliveries are also signed with the previous secret.', nullable: true, example: null })
  previousSecretExpiresAt: string | null;
  @Timestamp({ about: 'Time of the last successful delivery.', nullable: true, example: null, isSeparate: true })
  lastDeliveryAt: string | null;

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

const SECRET = {
  about: 'Signing secret, for use with any Standard Webhooks library. No other response contains it.',
  example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
};

export class WebhookWithSecretDto extends WebhookDto {
  @Text(SECRET) secret: string;
}

/** The secret is there if it was rotated. */
export class ChangedWebhookDto extends WebhookDto {
  @Text({ ...SECRET, optional: true }) secret?: string;
}

export class WebhookListDto implements Page<WebhookDto> {
  @ListOf(WebhookDto, { about: 'All endpoints on one page, newest first.' }) data: WebhookDto[];
  @Nested(PaginationDto, { about: 'As in other lists; there is always one page.' }) pagination: PaginationDto;
}
