import { Injectable } from '@nestjs/common';
import type { PageContext } from '../../../api/console/page-context.js';
import { missing } from '../endpoints/endpoint-rules.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { PingService } from '../operator/ping.service.js';
import { RedeliveryService } from '../operator/redelivery.service.js';
import { ReplayService } from '../operator/replay.service.js';

/** What pages do with endpoints. The services for operators find them by id alone, so a page asks here whose endpoint it is first. */
@Injectable()
export class EndpointPages {
  constructor(
    readonly webhooks: WebhooksService,
    readonly pings: PingService,
    readonly replays: ReplayService,
    readonly redeliveries: RedeliveryService,
  ) {}

  async list(ctx: PageContext): Promise<WebhookEndpoint[]> {
    return (await this.webhooks.list(ctx)).filter(({ environment }) => environment === ctx.environment);
  }

  /** The pages of live data show live endpoints only, unlike the API, where a live credential sees both. */
  async own(ctx: PageContext, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.webhooks.get(ctx, id);
    return endpoint.environment === ctx.environment ? endpoint : missing();
  }
}
