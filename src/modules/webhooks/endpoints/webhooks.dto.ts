import { ENVIRONMENTS, type Environment } from '../../../kernel/context.js';
import { subscribableKinds } from '../../../kernel/declare-event.js';
import { inWords } from '../../../kernel/durations.js';
import { setting } from '../../../kernel/settings/setting-text.js';
import { pick } from '../../../kernel/changes.js';
import { PaginationDto, type Page, RecordDto, shownFields } from '../../../api/dto/page.js';
import { CustomFields } from '../../../api/validation/custom-fields.js';
import { Both, Changes, Complete, Flag, Integer, ListOf, Nested, NULL_BY_DEFAULT, OneOf, OR_NULL } from '../../../api/validation/fields.js';
import { SetOf, Text, TextList, Timestamp, UuidList, Without } from '../../../api/validation/fields.js';
import { MAX_PROJECTS } from '../../../kernel/product.js';
import { PAYLOADS, type Payload } from '../signing/message.js';
import { SIGNATURES, type SignatureKind } from '../signing/webhook-secret.js';
import { DISABLED_AFTER_FAILING_MS, MAX_RATE_LIMIT, SECRET_OVERLAP_MS } from './endpoint-rules.js';
import { MAX_OWN_HEADERS, OwnHeadersField, type OwnHeaders } from './own-headers.js';

export const WEBHOOK_STATUSES = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];
export const DISABLED_REASONS = ['manual', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export class CreateWebhookDto {
  @Text({ about: 'Name of the endpoint.', min: 1, max: 200, example: 'Month-end sync' })
  name: string;

  @Text({
    about:
      'URL that deliveries are posted to: `https` (for test endpoints also `http`), on the public Internet, without user name or password.',
    min: 1,
    max: 2048,
    format: 'uri',
    example: 'https://hooks.example.com/claims',
    alsoCalled: ['url', 'endpoint', 'callbackUrl', 'webhookUrl'],
  })
  targetUrl: string;

  @SetOf(subscribableKinds, {
    about: 'Kinds of events to deliver, planned ones too.',
    example: ['claim_project.created', 'claim_project.updated'],
    alsoCalled: ['events', 'eventTypes', 'enabledEvents'],
  })
  subscribedEvents: string[];

  @Text({ about: 'What the endpoint is for.', max: 1000, ...OR_NULL, example: 'Keeps the ledger in step' })
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

  @OwnHeadersField({
    about:
      `Up to ${MAX_OWN_HEADERS} headers that your deliveries have beside ours, such as \`{"Authorization": "Bearer …"}\`. Values are ` +
      'stored encrypted and never returned. Replaces all headers; null removes them. A change of `targetUrl` to another origin removes ' +
      'them too, unless the same request sets them. An addition.',
    ...OR_NULL,
  })
  headers?: OwnHeaders | null;

  @Integer({
    about: 'Deliveries per minute, sent at equal intervals; further ones wait. null: no limit. An addition.',
    min: 1,
    max: MAX_RATE_LIMIT,
    ...NULL_BY_DEFAULT,
    example: null,
  })
  rateLimit?: number | null;

  @Flag({
    about:
      'Whether events are delivered one at a time and in their order, some two seconds later. A delivery that fails holds back all ' +
      'after it until it succeeds or is given up. An addition.',
    optional: true,
    default: false,
    example: false,
  })
  ordered?: boolean;

  @UuidList({
    about:
      'Only events of these claim projects: of the projects themselves, and of what belongs to one. Events of no project are not sent ' +
      'then. null: all events. An addition.',
    min: 1,
    max: MAX_PROJECTS,
    ...NULL_BY_DEFAULT,
    example: null,
  })
  projectIds?: string[] | null;

  @OneOf(PAYLOADS, {
    about: '`full`: messages have the record. `thin`: they say where to GET it. An addition.',
    optional: true,
    default: 'full',
    example: 'full',
  })
  payload?: Payload;

  @OneOf(SIGNATURES, {
    about:
      '`hmac`: signed with the secret (`v1`). `ed25519`: signed with a private key that only the service has (`v1a`); `publicKey` ' +
      'verifies it. A change is a rotation. An addition.',
    optional: true,
    default: 'hmac',
    example: 'hmac',
  })
  signature?: SignatureKind;
}

export class UpdateWebhookDto extends Changes(CreateWebhookDto) {
  @Flag({
    about:
      '`true` creates a new signing secret, which only this response contains, or a new pair of keys. Deliveries are also signed ' +
      'with the old one for ' +
      `${inWords(SECRET_OVERLAP_MS)}.`,
    only: true,
    optional: true,
    example: true,
  })
  rotateSecret?: true;
}

export class WebhookDto extends Both(RecordDto, Without(Complete(CreateWebhookDto), ['environment', 'headers'])) {
  @OneOf(DISABLED_REASONS, {
    about:
      `Why the endpoint is disabled: by you (\`manual\`), because all deliveries failed for ${inWords(DISABLED_AFTER_FAILING_MS)} ` +
      '(`failing`) or because it responded with 410 (`gone`).',
    nullable: true,
    example: null,
  })
  disabledReason: DisabledReason | null;
  @Text({ about: 'Last characters of the signing secret, or of `publicKey`.', example: 'b0s=' }) secretHint: string;
  @Timestamp({ about: 'Until when deliveries are also signed with the previous secret.', nullable: true, example: null })
  previousSecretExpiresAt: string | null;
  @Timestamp({ about: 'Time of the last successful delivery.', nullable: true, example: null, isSeparate: true })
  lastDeliveryAt: string | null;
  @Text({ about: 'With `ed25519`: the key that verifies deliveries, `whpk_…`.', nullable: true, example: null })
  publicKey: string | null;
  @TextList({ about: "Names of the endpoint's own headers.", example: [] }) headerNames: string[];

  /** Of a row, which has more. */
  static from(row: WebhookDto): WebhookDto {
    return WEBHOOK_FIELDS.answered(pick(row, SHOWN), row);
  }
}

export const WEBHOOK_FIELDS = new CustomFields({
  table: 'webhook_endpoints',
  inputs: [CreateWebhookDto, UpdateWebhookDto],
  answers: [WebhookDto],
});

const SHOWN = shownFields(WebhookDto);

export class WebhookWithSecretDto extends WebhookDto {
  @Text({
    about: 'Signing secret, for use with any Standard Webhooks library. No other response contains it. With `ed25519` there is none.',
    optional: true,
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  })
  secret?: string;
}

export class WebhookListDto implements Page<WebhookDto> {
  @ListOf(WebhookDto, { about: 'All endpoints on one page, newest first.' }) data: WebhookDto[];
  @Nested(PaginationDto, { about: 'As in other lists; there is always one page.' }) pagination: PaginationDto;
}
