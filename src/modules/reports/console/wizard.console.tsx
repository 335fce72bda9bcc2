import { Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { formOf, type FormState } from '../../../api/console/form.js';
import { type PageContext, PageCtx, pathOf } from '../../../api/console/page-context.js';
import { type Answer, goTo, page } from '../../../api/console/page.js';
import { Facts } from '../../../api/console/parts/facts.js';
import { ConsoleForm, Refused, SelectField } from '../../../api/console/parts/fields.js';
import * as say from '../../../api/console/say.js';
import { Problem } from '../../../kernel/problems.js';
import { EvidenceCalendars, type FoundEvidence } from '../preview/previews.js';
import { ClaimReportDto } from '../reports.dto.js';
import { ReportsService } from '../reports.service.js';
import { AccountCalendar } from './calendar.views.js';
import { type ChosenRun, type RunAhead, RunChoice } from './run-choice.js';
import { type ChoicesOfRuns, RunNames } from './run-names.js';

interface ChoiceProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly choices: ChoicesOfRuns;
}

/** The first step: what the report is of. It is in the address, so it can be shared, and nothing is stored. */
const ChoiceForm = ({ ctx, state, choices }: ChoiceProps) => (
  <form method="get" action={pathOf(ctx, 'reports', 'new')} class="fields">
    {state.problem ? <Refused problem={state.problem} /> : null}
    <SelectField
      state={state}
      name="reportConfigurationId"
      label="Configuration"
      hint={
        <>
          It says which period, categories and files, such as a PDF, the report has.{' '}
          <a href={pathOf(ctx, 'configurations', 'new')}>New configuration</a>
        </>
      }
      choices={[['', 'None: all categories, figures only'], ...choices.configurations]}
    />
    <SelectField
      state={state}
      name="projectId"
      label="Project"
      hint="With a project, only its statements are read."
      choices={[['', 'That of the configuration, or the whole organization'], ...choices.projects]}
    />
    <p class="buttons">
      <button>Next: see what it reads</button>
      <a class="button plain" href={pathOf(ctx, 'reports')}>
        Cancel
      </a>
    </p>
  </form>
);

interface AheadProps {
  readonly ctx: PageContext;
  readonly ahead: RunAhead;
  /** A text: why it cannot be shown. */
  readonly found: FoundEvidence | string;
}

/** The second step: what the run would read, before it is queued. */
function RunAheadView({ ctx, ahead, found }: AheadProps) {
  const { chosen, project, configuration, period } = ahead;
  return (
    <>
      <Facts
        facts={[
          ['Configuration', configuration ?? 'None: all categories, figures only'],
          ['Project', project ?? 'Whole organization'],
          ['Period', period ? say.period(period.start, period.end) : 'That of the statements'],
        ]}
      />
      {typeof found === 'string' ? (
        <p class="error" role="alert">
          {found}
        </p>
      ) : (
        <Found ctx={ctx} found={found} />
      )}
      <ConsoleForm ctx={ctx} action={pathOf(ctx, 'reports', 'new')} submit="Make the report" cancel={pathOf(ctx, 'reports')}>
        {Object.entries(chosen).map(([name, id]) => (
          <input type="hidden" name={name} value={(id as string | null) ?? ''} />
        ))}
        <p>
          <a href={pathOf(ctx, 'reports', 'new')}>Choose something else</a>
        </p>
      </ConsoleForm>
    </>
  );
}

function Found({ ctx, found: { shown, unredacted, elsewhere } }: { ctx: PageContext; found: FoundEvidence }) {
  return (
    <>
      {shown ? <Gaps shown={shown} /> : <p class="warning">The statements are too many to be shown here. A run may read more.</p>}
      {elsewhere === undefined ? null : <p class="warning">{elsewhere}</p>}
      {unredacted.length === 0 ? null : (
        <p class="warning">
          Not read, since they are not redacted:{' '}
          {unredacted.map(({ id, fileName }, index) => (
            <>
              {index === 0 ? '' : ', '}
              <a href={pathOf(ctx, 'statements', id)}>{fileName || id}</a>
            </>
          ))}
        </p>
      )}
      {shown ? <AccountCalendar ctx={ctx} shown={shown} /> : null}
    </>
  );
}

/** How many months are named. */
const MAX_NAMED = 24;

function Gaps({ shown: { statements, calendar } }: { shown: NonNullable<FoundEvidence['shown']> }) {
  const { coveragePercent, months } = calendar.evidence;
  const [missing, partial] = (['missing', 'partial'] as const).map((wanted) => months.filter(({ status }) => status === wanted));
  const named = (some: typeof months): string =>
    [
      ...some.slice(0, MAX_NAMED).map(({ month }) => say.month(month)),
      ...(some.length > MAX_NAMED ? [`and ${some.length - MAX_NAMED} more`] : []),
    ].join(', ');
  return (
    <>
      <p>
        <strong>{say.plural(statements.length, 'statement')}</strong> found. They cover {coveragePercent} % of the period.
      </p>
      {missing!.length === 0 ? null : <p class="warning">Months without evidence: {named(missing!)}.</p>}
      {partial!.length === 0 ? null : <p class="warning">Months with some days only: {named(partial!)}.</p>}
    </>
  );
}

const SECTION = 'reports';

/** What a run would read, and what one has read. */
@ConsoleSection({ path: SECTION, label: 'Evidence', order: 9 })
export class WizardConsole {
  constructor(
    private readonly reports: ReportsService,
    private readonly choice: RunChoice,
    private readonly calendars: EvidenceCalendars,
    private readonly names: RunNames,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /new', operation: 'claim_reports.create' })
  async new(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { query } = ctx;
    if (!query.has('projectId') && !query.has('reportConfigurationId')) return this.choices(ctx, formOf());
    const chosen = chosenIn((name) => query.get(name));
    try {
      const ahead = await this.choice.read(ctx, chosen);
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
      const { id } = await this.door.call<ClaimReportDto>(ctx, { body });
      return goTo(pathOf(ctx, SECTION, id), 'You started this report.');
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
