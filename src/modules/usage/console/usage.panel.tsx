import { Injectable } from '@nestjs/common';
import type { ComponentChild } from 'preact';
import { OverviewPanel } from '../../../api/console/overview.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Implements } from '../../../store/discovery/ports.js';
import { UsageService } from '../usage.service.js';
import { RequestsByDay } from './usage.views.js';

/** The requests of this period, on the first page of the console. */
@Injectable()
@Implements(OverviewPanel)
export class UsagePanel extends OverviewPanel {
  readonly order = 40;

  constructor(private readonly usage: UsageService) {
    super();
  }

  async show(ctx: PageContext): Promise<ComponentChild> {
    const byDay = await this.usage.byDay(ctx);
    return (
      <section>
        <h2>
          <a href={pathOf(ctx, 'usage')}>Requests this period</a>
        </h2>
        <RequestsByDay byDay={byDay} />
      </section>
    );
  }
}
