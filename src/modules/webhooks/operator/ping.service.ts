import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import { newId } from '../../../kernel/ids.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { Sender, type Outcome } from '../sending/sender.js';
import { headersOf } from '../signing/message.js';
import { WebhookTest } from '../webhooks.events.js';
import { EndpointOperations } from './endpoint-operations.js';

/** Tells receivers that nothing happened. */
export const EXAMPLE_HEADER = 'X-Service-Example';

/** Sends to endpoints what is no event: at once, and without an entry in the delivery log. */
@Injectable()
export class PingService {
  constructor(
    private readonly endpoints: EndpointOperations,
    private readonly secrets: EndpointSecrets,
    private readonly sender: Sender,
    private readonly clock: Clock,
  ) {}

  /** Tests whether an endpoint can be reached, by an unsigned `webhook.test`. */
  async ping(webhookId: string): Promise<Outcome> {
    const { targetUrl: url, environment, organizationId } = await this.endpoints.get(webhookId);
    const event = {
      id: newId(),
      type: WebhookTest.kind,
      timestamp: this.clock.timestamp(),
      apiVersion: 'v1',
      environment,
      organizationId,
      data: { webhookId },
    };
    return this.sender.send({ organizationId, url, headers: { 'X-Service-Event': event.type }, body: JSON.stringify(event) });
  }

  /** The example of an event, signed as the event would be. */
  sendExample(endpoint: WebhookEndpoint, example: Readonly<Record<string, unknown>> & { readonly type: string }): Promise<Outcome> {
    const { organizationId, environment, targetUrl: url } = endpoint;
    const now = this.clock.now();
    const id = newId();
    const body = JSON.stringify({ ...example, id, timestamp: now.toISOString(), environment, organizationId });
    const signed = headersOf({ id, kind: example.type, body }, this.secrets.keysOf(endpoint), now);
    const headers = { ...this.secrets.headersOf(endpoint), ...signed, [EXAMPLE_HEADER]: 'true' };
    return this.sender.send({ organizationId, url, headers, body });
  }
}
