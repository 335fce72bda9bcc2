import { Injectable } from '@nestjs/common';
import { FirstStep } from '../../../api/console/overview.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EndpointPages } from './endpoint-pages.js';

@Implements(FirstStep)
@Injectable()
export class WebhookReceivedStep implements FirstStep {
  readonly order = 4;
  readonly title = 'Receive a webhook';
  readonly about = 'Give an address of yours, send a test, and subscribe to events.';
  readonly path = 'webhooks';
  readonly role = 'admin';

  constructor(private readonly endpoints: EndpointPages) {}

  async isDone(ctx: PageContext): Promise<boolean> {
    return (await this.endpoints.list(ctx)).some(({ lastDeliveryAt }) => lastDeliveryAt !== null);
  }
}
