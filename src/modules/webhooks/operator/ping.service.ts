import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/time.js';
import { isUuid, newId } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { WebhooksRepository } from '../endpoints/webhooks.repository.js';
import { Sender, type Outcome } from '../sending/sender.js';
import { WebhookTest } from '../webhooks.events.js';

/** Tests whether an endpoint can be reached: sends an unsigned `webhook.test` at once, without an entry in the delivery log. */
@Injectable()
export class PingService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly sender: Sender,
    private readonly clock: Clock,
  ) {}

  async ping(webhookId: string): Promise<Outcome> {
    const endpoint = isUuid(webhookId) ? await this.webhooks.byId(webhookId) : undefined;
    if (!endpoint) throw new Problem('not_found', { detail: `There is no webhook endpoint ${webhookId}.` });
    const { targetUrl: url, environment, organizationId } = endpoint;
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
