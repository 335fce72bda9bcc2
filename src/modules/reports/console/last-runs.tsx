import { Injectable } from '@nestjs/common';
import type { ComponentChild } from 'preact';
import { FirstStep, OverviewPanel } from '../../../api/console/overview.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Implements } from '../../../store/discovery/ports.js';
import { ReportsService } from '../reports.service.js';
import { Runs } from './reports.views.js';
import { RunNames } from './run-names.js';

const SHOWN = 5;

@Implements(OverviewPanel)
@Injectable()
export class LastRuns implements OverviewPanel {
  readonly order = 10;

  constructor(
    private readonly reports: ReportsService,
    private readonly names: RunNames,
  ) {}

  async show(ctx: PageContext): Promise<ComponentChild> {
    const { rows } = await this.reports.list(ctx, { page: 1, page_size: SHOWN });
    if (rows.length === 0) return null;
    return (
      <section>
        <h2>Last runs</h2>
        <Runs ctx={ctx} runs={rows} names={await this.names.read(ctx, rows)} />
        <p>
          <a href={pathOf(ctx, 'reports')}>All reports</a>
        </p>
      </section>
    );
  }
}

@Implements(FirstStep)
@Injectable()
export class ReportStep implements FirstStep {
  readonly order = 30;
  readonly title = 'Make your first report';
  readonly about = 'It computes what can be claimed, and shows which lines no category claims yet.';
  readonly path = 'reports/new';

  constructor(private readonly reports: ReportsService) {}

  async isDone(ctx: PageContext): Promise<boolean> {
    return (await this.reports.list(ctx, { page: 1, page_size: 1 })).total > 0;
  }
}
