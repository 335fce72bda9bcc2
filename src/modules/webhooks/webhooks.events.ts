import { declareEvent } from '../../kernel/declare-event.js';
import { WebhookTestDto } from './webhook-test.dto.js';

export const WebhookTest = declareEvent({
  kind: 'webhook.test',
  status: 'test',
  summary: 'Somebody tries whether the endpoint can be reached. Unsigned, and not in the delivery log.',
  data: WebhookTestDto,
});

// Reserved: it may be subscribed to already, and nothing emits it.
declareEvent({ kind: 'integration.connected', status: 'planned', summary: 'An integration was connected.', data: null });
