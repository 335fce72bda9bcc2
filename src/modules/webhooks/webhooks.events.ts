import { OneOf, Text, Timestamp, Uuid } from '../../api/validation/fields.js';
import { ENVIRONMENTS, type Environment } from '../../kernel/context.js';
import { declareEvent } from '../../kernel/declare-event.js';
import { DISABLED_REASONS, WEBHOOK_STATUSES, type DisabledReason, type WebhookStatus } from './endpoints/webhooks.dto.js';

export class WebhookTestDto {
  @Uuid({ about: 'The endpoint that is tested.' }) webhookId: string;
}

export const WebhookTest = declareEvent({
  kind: 'webhook.test',
  status: 'test',
  summary: 'An operator tests whether the endpoint can be reached. Unsigned, and not in the delivery log.',
  data: WebhookTestDto,
});

/** Without the rest of the URL, which may contain a secret. */
export class WebhookHealthDto {
  @Uuid({ about: 'Id of the endpoint.' }) id: string;
  @OneOf(ENVIRONMENTS, { about: 'Environment whose events are delivered to it.', example: 'test' }) environment: Environment;
  @Text({ about: 'Name of the endpoint.', example: 'Month-end sync' }) name: string;
  @Text({ about: 'Host of its URL.', example: 'hooks.example.com' }) host: string;
  @OneOf(WEBHOOK_STATUSES, { about: 'Whether it is disabled.', example: 'active' }) status: WebhookStatus;
  @OneOf(DISABLED_REASONS, { about: 'Why it is disabled.', nullable: true, example: null }) disabledReason: DisabledReason | null;
  @Timestamp({ about: 'Since when no delivery has succeeded, or had until it recovered.', nullable: true }) failingSince: string | null;
  @Timestamp({ about: 'When it was disabled, or will be if no delivery succeeds until then.', nullable: true }) disabledAt: string | null;
}

const OF_HEALTH = {
  status: 'emitted',
  data: WebhookHealthDto,
  read: { scope: 'webhooks:read' },
} as const;

export const WebhookFailing = declareEvent({
  ...OF_HEALTH,
  kind: 'webhook.failing',
  summary: 'Four attempts in a row to deliver to another endpoint have failed. Once, until it recovers.',
});
export const WebhookRecovered = declareEvent({
  ...OF_HEALTH,
  kind: 'webhook.recovered',
  summary: 'Another endpoint that failed works again: a delivery has succeeded. It is sent what it has missed.',
  example: { disabledAt: null },
});
export const WebhookDisabled = declareEvent({
  ...OF_HEALTH,
  kind: 'webhook.disabled',
  summary: 'The service disabled another endpoint, because it kept failing or answered 410.',
  example: { status: 'disabled', disabledReason: 'failing' },
});
export const HEALTH_EVENTS = [WebhookFailing, WebhookRecovered, WebhookDisabled];

// Reserved: clients may subscribe to it already; nothing emits it yet.
declareEvent({
  kind: 'integration.connected',
  status: 'planned',
  summary: 'An integration was connected.',
  data: null,
  read: { scope: 'organization:read' },
});
