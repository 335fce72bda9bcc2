import { Uuid } from '../../api/validation/fields.js';
import { declareEvent } from '../../kernel/declare-event.js';

export class WebhookTestDto {
  @Uuid({ about: 'The endpoint that is tested.' }) webhookId: string;
}

export const WebhookTest = declareEvent({
  kind: 'webhook.test',
  status: 'test',
  summary: 'An operator tests whether the endpoint can be reached. Unsigned, and not in the delivery log.',
  data: WebhookTestDto,
});

// Reserved: clients may subscribe to it already; nothing emits it yet.
declareEvent({
  kind: 'integration.connected',
  status: 'planned',
  summary: 'An integration was connected.',
  data: null,
  read: { scope: 'organization:read' },
});
