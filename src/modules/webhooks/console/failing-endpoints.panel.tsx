import { Injectable } from '@nestjs/common';
import { OverviewPanel } from '../../../api/console/overview.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Time } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import { Implements } from '../../../store/discovery/ports.js';
import { WEBHOOKS_PLAN } from '../endpoints/endpoint-rules.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';
import { EndpointStatus, isInTrouble } from './webhooks.views.js';

/** Endpoints that somebody should look at. */
@Implements(OverviewPanel)
@Injectable()
export class FailingEndpointsPanel implements OverviewPanel {
  readonly order = 20;

  constructor(private readonly webhooks: WebhooksService) {}

  async show(ctx: PageContext) {
    if (!ctx.organization.includes(WEBHOOKS_PLAN)) return null;
    const failing = (await this.webhooks.ofEnvironment(ctx)).filter(isInTrouble);
    if (failing.length === 0) return null;
    return (
      <section>
        <h2>Webhook endpoints that fail</h2>
        <Table
          caption="Webhook endpoints that fail"
          rows={failing}
          empty=""
          columns={[
            ['Name', ({ id, name }) => <a href={pathOf(ctx, 'webhooks', id)}>{name}</a>],
            ['Status', (endpoint) => <EndpointStatus of={endpoint} />],
            ['Last delivered', ({ lastDeliveryAt }) => <Time ctx={ctx} at={lastDeliveryAt} />],
          ]}
        />
      </section>
    );
  }
}
