import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { download, goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { pageNumberIn, PAGE_SIZE } from '../../../api/console/parts/list.js';
import { ReportsService } from '../reports.service.js';
import { ComparisonView, NothingToCompare } from './compare.views.js';
import { filtersIn, RunHistory } from './run-history.js';
import { RunNames } from './run-names.js';
import { CancelRun, RunView } from './run.views.js';
import { ReportList, titleOf } from './reports.views.js';

const SECTION = 'reports';

@ConsoleSection({ path: SECTION, label: 'Reports', group: 'Claims', order: 5, operation: 'claim_reports.list' })
export class ReportsConsole {
  constructor(
    private readonly reports: ReportsService,
    private readonly history: RunHistory,
    private readonly names: RunNames,
  ) {}

  @Page({ route: 'GET /', operation: 'claim_reports.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const choices = await this.names.choices(ctx);
    const found = await this.reports.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE, ...filtersIn(ctx, choices) });
    return page('Claim reports', <ReportList ctx={ctx} found={found} names={await this.names.read(ctx, found.rows)} choices={choices} />);
  }

  @Page({ route: 'GET /:report_id', operation: 'claim_reports.get' })
  async show(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const run = await this.reports.get(ctx, id);
    const names = await this.names.read(ctx, [run]);
    return page(
      titleOf(run, names),
      <>
        <RunView ctx={ctx} run={run} names={names} />
        <CancelRun ctx={ctx} run={run} />
      </>,
    );
  }

  @Page({ route: 'GET /:report_id/compare', operation: 'claim_reports.get' })
  async compare(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const run = await this.reports.get(ctx, id);
    const compared = await this.history.compareWithBefore(ctx, run);
    const title = `${titleOf(run, await this.names.read(ctx, [run]))}: what changed`;
    return page(title, compared ? <ComparisonView ctx={ctx} run={run} {...compared} /> : <NothingToCompare ctx={ctx} run={run} />);
  }

  @Action({ route: 'POST /:report_id/cancel', role: 'member' })
  async cancel(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    await this.history.cancel(ctx, await this.reports.get(ctx, id));
    return goTo(pathOf(ctx, SECTION, id), 'The run was cancelled.');
  }

  @Action({ route: 'POST /:report_id/files/:format', role: 'member' })
  async download(@PageCtx() ctx: PageContext, @Param('report_id') id: string, @Param('format') format: string): Promise<Answer> {
    const { name, mediaType, content } = await this.history.file(ctx, await this.reports.get(ctx, id), format);
    return download(name, mediaType, content);
  }
}
