import { Injectable } from '@nestjs/common';
import { FirstStep, OverviewPanel } from '../../../api/console/overview.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Time } from '../../../api/console/parts/facts.js';
import { Table } from '../../../api/console/parts/list.js';
import type { Panel } from '../../../api/console/record-panel.js';
import { count, say } from '../../../api/console/say.js';
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
        <h2 id="failing">{say('console.webhooks.overview.failing')}</h2>
        <Table
          caption={say('console.webhooks.overview.failing')}
          rows={failing}
          empty=""
          columns={[
            [say('console.webhooks.name'), ({ id, name }) => <a href={pathOf(ctx, 'webhooks', id)}>{name}</a>],
            [say('console.webhooks.status'), (endpoint) => <EndpointStatus of={endpoint} />],
            [say('console.webhooks.lastDelivered'), ({ lastDeliveryAt }) => <Time ctx={ctx} at={lastDeliveryAt} />],
          ]}
        />
      </section>
    );
    const which = <a href="#failing">{say('console.webhooks.overview.which')}</a>;
    return { body, figures: [[say('console.webhooks.overview.figure'), count(failing.length), which]] };
  }
}

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
