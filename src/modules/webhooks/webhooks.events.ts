import { declareEvent } from '../../platform/events/declare-event.js';
import { WebhookTestDto } from './webhook-test.dto.js';

export const WebhookTest = declareEvent({ kind: 'webhook.test', status: 'test', summary: 'Somebody tries whether the endpoint can be reached. Unsigned, and not in the delivery log.', data: WebhookTestDto });

// Kinds that are reserved: they may be subscribed to already, and nothing emits them.
declareEvent({ kind: 'integration.connected', status: 'planned', summary: 'An integration was connected.', data: null });
declareEvent({ kind: 'bank_statement.redaction_queued', status: 'planned', summary: 'A bank statement was queued for redaction.', data: null });
