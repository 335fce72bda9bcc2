import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { download, goTo, page, titledPage, type Answer, PageCtx, pathOf, type PageContext } from '../../../api/console/page.js';
import { LinkButton } from '../../../api/console/parts/facts.js';
import { readList } from '../../../api/console/parts/list.js';
import { say } from '../../../api/console/say.js';
import { KeyListView, CancelRun, RunActions, RunView } from './run.views.js';
import { KeyLists } from './key-lists.js';
import { ClosingBadge, ClosingBand, NextStep } from '../closing/closing.views.js';
import { ClosingsService } from '../closing/closings.service.js';
import { ClaimLinesService } from '../lines/claim-lines.service.js';
import type { ClaimReport } from '../report.entity.js';
import { ReportsService } from '../reports.service.js';
import { ComparisonView, NothingToCompare } from './compare.views.js';
import { filtersIn, RunHistory } from './run-history.js';
import { RunNames } from './run-names.js';
import { ReportList, Status, titleOf } from './reports.views.js';

const SECTION = 'reports';

@ConsoleSection({ path: SECTION, label: 'Reports', adds: 'New report', group: 'Claims', order: 5, operation: 'claim_reports.list' })
export class ReportsConsole {
  constructor(
    private readonly reports: ReportsService,
    private readonly history: RunHistory,
    private readonly runNames: RunNames,
    private readonly keyLists: KeyLists,
    private readonly closings: ClosingsService,
    private readonly lines: ClaimLinesService,
  ) {}

  @Page({ route: 'GET /', operation: 'claim_reports.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const choices = await this.runNames.choices(ctx);
    const found = await readList(ctx, (page) => this.reports.list(ctx, { ...page, ...filtersIn(ctx, choices) }));
    const create = <LinkButton to={pathOf(ctx, SECTION, 'new')}>{say('console.reports.new')}</LinkButton>;
    const [names, counts] = await Promise.all([this.runNames.read(ctx, found.rows), this.reports.countsByStatus(ctx)]);
    const list = <ReportList ctx={ctx} found={found} names={names} choices={choices} counts={counts} />;
    return titledPage(say('scopes.of.claim_reports'), { actions: ctx.can('claim_reports.create') ? create : null }, list);
  }

  @Page({ route: 'GET /:report_id', operation: 'claim_reports.get' })
  async show(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const run = await this.reports.get(ctx, id);
    const names = await this.runNames.read(ctx, [run]);
    const steps = await this.closings.findSteps(ctx, id);
    const beside = {
      up: [pathOf(ctx, SECTION), say('console.reports.title')],
      badge: steps.length > 0 ? <ClosingBadge steps={steps} /> : <Status of={run.status} />,
      actions: (
        <>
          <NextStep ctx={ctx} run={run} steps={steps} />
          <RunActions ctx={ctx} run={run} hasKeyList={await this.hasKeyList(ctx)} linesOf={await this.findRunWithLines(ctx, run)} />
        </>
      ),
    } as const;
    return titledPage(
      titleOf(run, names),
      beside,
      <>
        <ClosingBand ctx={ctx} steps={steps} />
        <RunView ctx={ctx} run={run} names={names} files={await this.runNames.readFiles(ctx, run)} />
        <CancelRun ctx={ctx} run={run} />
      </>,
    );
  }

  @Page({ route: 'GET /:report_id/compare', operation: 'claim_reports.get' })
  async compare(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const run = await this.reports.get(ctx, id);
    const compared = await this.history.compareWithBefore(ctx, run);
    const title = say('console.reports.changesOf', { report: titleOf(run, await this.runNames.read(ctx, [run])) });
    return page(title, compared ? <ComparisonView ctx={ctx} run={run} {...compared} /> : <NothingToCompare ctx={ctx} run={run} />);
  }

  @Page({ route: 'GET /:report_id/names', role: 'owner', needsFreshSignIn: true })
  async names(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const run = await this.reports.get(ctx, id);
    const title = say('console.reports.keysOf', { report: titleOf(run, await this.runNames.read(ctx, [run])) });
    return page(title, <KeyListView ctx={ctx} run={run} list={await this.keyLists.find(ctx, run)} />);
  }

  @Action({ route: 'POST /:report_id/names', role: 'owner', needsFreshSignIn: true, records: ['claim_report.names_saved'] })
  async saveNames(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const list = await this.keyLists.save(ctx, await this.reports.get(ctx, id));
    return download(`key-list-${id}.csv`, 'text/csv; charset=utf-8', Buffer.from(list));
  }

  @Action({ route: 'POST /:report_id/cancel', role: 'member' })
  async cancel(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    await this.history.cancel(ctx, await this.reports.get(ctx, id));
    return goTo(pathOf(ctx, SECTION, id), say('console.reports.cancelled'));
  }

  @Action({ route: 'POST /:report_id/files/:format', role: 'member' })
  async download(@PageCtx() ctx: PageContext, @Param('report_id') id: string, @Param('format') format: string): Promise<Answer> {
    const { name, mediaType, content } = await this.history.file(ctx, await this.reports.get(ctx, id), format);
    return download(name, mediaType, content);
  }

  private async findRunWithLines(ctx: PageContext, run: ClaimReport): Promise<string | undefined> {
    return run.result && ctx.can('claim_lines.list') ? this.lines.findRunWithLines(ctx, run) : undefined;
  }

  private async hasKeyList(ctx: PageContext): Promise<boolean> {
    return ctx.user.role === 'owner' && (await this.keyLists.areKept(ctx));
  }
}
