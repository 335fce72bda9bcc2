import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { Sender, type Outcome } from '../sending/sender.js';
import { headersOf } from '../signing/message.js';

/** Tells receivers that nothing happened. */
export const EXAMPLE_HEADER = 'X-Service-Example';

/** Sends the example of an event to an endpoint, signed as the event would be, at once and without an entry in the delivery log. */
@Injectable()
export class ExampleService {
  constructor(
    private readonly secrets: EndpointSecrets,
    private readonly sender: Sender,
    private readonly clock: Clock,
  ) {}

  send(endpoint: WebhookEndpoint, example: Readonly<Record<string, unknown>> & { readonly type: string }): Promise<Outcome> {
    const { organizationId, environment, targetUrl: url } = endpoint;
    const now = this.clock.now();
    const id = newId();
    const body = JSON.stringify({ ...example, id, timestamp: now.toISOString(), environment, organizationId });
    const signed = headersOf({ id, kind: example.type, body }, this.secrets.keysOf(endpoint), now);
    const headers = { ...this.secrets.headersOf(endpoint), ...signed, [EXAMPLE_HEADER]: 'true' };
    return this.sender.send({ organizationId, url, headers, body });
  }
}
