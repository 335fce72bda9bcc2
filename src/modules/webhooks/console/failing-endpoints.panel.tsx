import { Injectable } from '@nestjs/common';
import { OverviewPanel } from '../../../api/console/overview.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Implements } from '../../../store/discovery/ports.js';
import { EndpointPages } from './endpoint-pages.js';
import { EndpointStatus } from './webhooks.views.js';

/** Endpoints that somebody should look at. */
@Implements(OverviewPanel)
@Injectable()
export class FailingEndpointsPanel implements OverviewPanel {
  readonly order = 1;

  constructor(private readonly endpoints: EndpointPages) {}

  async show(ctx: PageContext) {
    const failing = (await this.endpoints.list(ctx)).filter(
      ({ status, failingSince, disabledReason }) => (status === 'active' && failingSince !== null) || disabledReason === 'failing',
    );
    if (failing.length === 0) return null;
    return (
      <section class="warning">
        <h2>Webhooks that do not arrive</h2>
        <ul>
          {failing.map((endpoint) => (
            <li>
              <a href={pathOf(ctx, 'webhooks', endpoint.id)}>{endpoint.name}</a> <EndpointStatus endpoint={endpoint} />
            </li>
          ))}
        </ul>
      </section>
    );
  }
}
