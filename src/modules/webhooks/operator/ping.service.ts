import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import { newId } from '../../../kernel/ids.js';
import { Sender, type Outcome } from '../sending/sender.js';
import { WebhookTest } from '../webhooks.events.js';
import { EndpointOperations } from './endpoint-operations.js';

/** Tests whether an endpoint can be reached: sends an unsigned `webhook.test` at once, without an entry in the delivery log. */
@Injectable()
export class PingService {
  constructor(
    private readonly endpoints: EndpointOperations,
    private readonly sender: Sender,
    private readonly clock: Clock,
  ) {}

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
}
