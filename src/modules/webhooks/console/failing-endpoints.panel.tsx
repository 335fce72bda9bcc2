import { Injectable } from '@nestjs/common';
import { OverviewPanel } from '../../../api/console/overview.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Time } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import type { Panel } from '../../../api/console/record-panel.js';
import { count } from '../../../api/console/say.js';
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

  async show(ctx: PageContext): Promise<Panel | null> {
    if (!ctx.organization.includes(WEBHOOKS_PLAN)) return null;
    const failing = (await this.webhooks.ofEnvironment(ctx)).filter(isInTrouble);
    if (failing.length === 0) return null;
    const body = (
      <section>
        <h2 id="failing">Webhook endpoints that fail</h2>
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
    return { body, figures: [['Failing endpoints', count(failing.length), <a href="#failing">which they are</a>]] };
  }
}
