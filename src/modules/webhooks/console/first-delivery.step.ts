import { Injectable } from '@nestjs/common';
import { FirstStep } from '../../../api/console/overview.js';
import type { PageContext } from '../../../api/console/page-context.js';
import { Implements } from '../../../store/discovery/ports.js';
import { WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';

/** Done with the first delivery that an endpoint accepted. */
@Implements(FirstStep)
@Injectable()
export class FirstDeliveryStep implements FirstStep {
  readonly order = 20;
  readonly title = 'Receive a webhook';
  readonly about = 'Your systems hear at once what happened here. Create an endpoint, and send it a test.';
  readonly path = 'webhooks';

  constructor(private readonly webhooks: WebhooksService) {}

  isFor(ctx: PageContext): boolean {
    return ctx.organization.includes(WEBHOOKS_PLAN) && ctx.can('webhooks.create');
  }

  async isDone(ctx: PageContext): Promise<boolean> {
    return (await this.webhooks.ofEnvironment(ctx)).some(({ lastDeliveryAt }) => lastDeliveryAt !== null);
  }
}
