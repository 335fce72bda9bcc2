import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { goTo, page, type Answer } from '../../../api/console/page.js';
import { PageCtx, pathOf, type PageContext } from '../../../api/console/page-context.js';
import { orAgain, Performer } from '../../../api/console/performer.js';
import { Problem } from '../../../kernel/problems.js';
import { EvidenceCalendars, type FoundEvidence } from '../preview/evidence-calendars.js';
import { ClaimReportDto, type CreateClaimReportDto } from '../reports.dto.js';
import { ReportsService } from '../reports.service.js';
import { AccountCalendar } from './calendar.views.js';
import { RunChoice, type ChosenRun } from './run-choice.js';
import { RunNames } from './run-names.js';
import { ChoiceForm, RunAheadView } from './wizard.views.js';

const SECTION = 'reports';

/** What a run would read, and what one has read. */
@ConsoleSection({ path: SECTION, label: 'Evidence', order: 9 })
export class WizardConsole {
  constructor(
    private readonly reports: ReportsService,
    private readonly choice: RunChoice,
    private readonly calendars: EvidenceCalendars,
    private readonly names: RunNames,
    private readonly performer: Performer,
  ) {}

  @Page({ route: 'GET /new', operation: 'claim_reports.create' })
  async new(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { query } = ctx;
    if (!query.has('projectId') && !query.has('reportConfigurationId')) return this.choices(ctx, formOf());
    const chosen = chosenIn((name) => query.get(name));
    try {
      const ahead = await this.choice.of(ctx, chosen);
      const found = await this.calendars.ahead(ctx, ahead.projectId, ahead.period).catch(reasonOf);
      return page('New report', <RunAheadView ctx={ctx} ahead={ahead} found={found} />);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status !== 400) throw problem;
      return this.choices(ctx, { ...formOf({ ...chosen }), problem });
    }
  }

  @Action({ route: 'POST /new', operation: 'claim_reports.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const body = chosenIn((name) => ctx.form.text(name));
    const create = async (): Promise<Answer> => {
      const { id } = await this.performer.perform<CreateClaimReportDto, ClaimReportDto>(ctx, { body }, async (inner, valid) =>
        ClaimReportDto.from(await this.reports.create(inner, valid)),
      );
      return goTo(pathOf(ctx, SECTION, id), 'The report is being made.');
    };
    return orAgain(ctx, create, (state) => this.choices(ctx, state));
  }

  @Page({ route: 'GET /:report_id/evidence', operation: 'claim_reports.get' })
  async evidence(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const { result } = await this.reports.get(ctx, id);
    return page(
      'Evidence calendar',
      <>
        {result ? <AccountCalendar ctx={ctx} shown={await this.calendars.ofResult(ctx, result)} /> : <p>The run has no result.</p>}
        <p>
          <a href={pathOf(ctx, SECTION, id)}>Back to the run</a>
        </p>
      </>,
    );
  }

  private async choices(ctx: PageContext, state: FormState): Promise<Answer> {
    return page('New report', <ChoiceForm ctx={ctx} state={state} choices={await this.names.choices(ctx)} />, state.problem?.status);
  }
}

const chosenIn = (valueOf: (name: string) => string | null): ChosenRun => ({
  projectId: valueOf('projectId') || null,
  reportConfigurationId: valueOf('reportConfigurationId') || null,
});

/** A run may fail for the same reason, or may not: it can read more, and has longer. It can be queued all the same. */
function reasonOf(error: unknown): FoundEvidence | string {
  if (error instanceof Problem && error.code === 'validation_failed') return error.detail;
  throw error;
}
