import { Injectable, Param } from '@nestjs/common';
import { ConsoleDoor, orAgain } from '../../../api/console/console-door.js';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { type PageContext, formOf, type FormState, PageCtx, pathOf, type Answer, goTo, page } from '../../../api/console/page.js';
import { type Fact, Facts, Note, PlainLink, Sentence, Way } from '../../../api/console/parts/facts.js';
import { ConsoleForm, Refused, SelectField } from '../../../api/console/parts/fields.js';
import { recordBody, RecordInputs } from '../../../api/console/parts/record.js';
import { amount, month, period as days, say, told } from '../../../api/console/say.js';
import { seen } from '../../../api/console/shown.js';
import { FIRST } from '../../../api/wording/page-wording.js';
import { isUuid } from '../../../kernel/ids.js';
import { Problem } from '../../../kernel/problems.js';
import { CUSTOM_FIELDS } from '../../../store/database/columns.js';
import { ConfigurationsService } from '../../configurations/index.js';
import { ProjectsService } from '../../projects/index.js';
import { BankStatementDto } from '../../statements/index.js';
import { EvidenceCalendars, type FoundEvidence } from '../preview/previews.js';
import { CLAIM_REPORT_FIELDS, ClaimReportDto, type CreateClaimReportDto } from '../reports.dto.js';
import { requireSameProject, ReportsService } from '../reports.service.js';
import type { ClaimReportPeriodDto } from '../result.dto.js';
import { AccountCalendar } from './calendar.views.js';
import { type ChoicesOfRuns, RunNames } from './runs.js';
import { sentenceOf } from './warning-sentences.js';

/** The body of the operation that queues a run. */
export type ChosenRun = Readonly<Required<CreateClaimReportDto>>;

export interface RunAhead {
  readonly chosen: ChosenRun;
  readonly projectId: string | null;
  readonly project: string | undefined;
  readonly configuration: string | undefined;
  /** null for that of the statements. */
  readonly period: ClaimReportPeriodDto | null;
}

/** What a run would be made of, as far as it is known before it starts. */
@Injectable()
export class RunChoice {
  constructor(
    private readonly projects: ProjectsService,
    private readonly configurations: ConfigurationsService,
  ) {}

  async read(ctx: PageContext, chosen: ChosenRun): Promise<RunAhead> {
    requireIds(chosen);
    const configuration = chosen.reportConfigurationId === null ? null : await this.configurations.get(ctx, chosen.reportConfigurationId);
    requireSameProject(chosen.projectId, configuration);
    const projectId = chosen.projectId ?? configuration?.projectId ?? null;
    const project = projectId === null ? null : await this.projects.get(ctx, projectId);
    const asked = configuration ?? project;
    const period = asked && { start: asked.periodStart, end: asked.periodEnd };
    return { chosen, projectId, project: project?.name, configuration: configuration?.name, period };
  }
}

function requireIds(chosen: ChosenRun): void {
  for (const [field, id] of Object.entries(chosen))
    if (id !== null && !isUuid(id)) throw Problem.invalidField(field, 'invalid_uuid', 'must be a UUID');
}

const PERIOD = 'periodStart,periodEnd';
/** The calendar has the accounts of statements, and the months of the period. */
const seesMonths = ({ hidden }: PageContext): boolean => !hidden?.isIn(BankStatementDto) && !hidden?.hides(undefined, PERIOD.split(','));

/** The first step: what the report is of. It is in the address, so it can be shared, and nothing is stored. */
function ChoiceForm({ ctx, state, choices }: { ctx: PageContext; state: FormState; choices: ChoicesOfRuns }) {
  const project = { state, name: 'projectId', label: say('report.fields.project'), hint: say('console.reports.ahead.projectAbout') };
  return (
    <form method="get" action={pathOf(ctx, 'reports', 'new')} class="fields">
      {state.problem ? <Refused problem={state.problem} /> : null}
      <SelectField
        state={state}
        name="reportConfigurationId"
        label={say('console.reports.configuration')}
        hint={
          <>
            {say('console.reports.ahead.configurationAbout')}{' '}
            <a href={pathOf(ctx, 'configurations', 'new')}>{say('console.reports.ahead.newConfiguration')}</a>
          </>
        }
        choices={[['', say('console.reports.ahead.noConfiguration')], ...choices.configurations]}
      />
      <SelectField {...project} choices={[['', say('console.reports.ahead.noProject')], ...choices.projects]} />
      <p class="buttons">
        <button>{say('console.reports.ahead.next')}</button>
        <PlainLink to={pathOf(ctx, 'reports')} label={say('console.form.cancel')} />
      </p>
    </form>
  );
}

interface AheadProps {
  readonly ctx: PageContext;
  readonly ahead: RunAhead;
  readonly found: FoundEvidence | string | undefined;
  readonly state: FormState;
}

/** The second step: what the run would read, before it is queued. A text as `found` says why it cannot be shown. */
function RunAheadView({ ctx, ahead, found, state }: AheadProps) {
  const { chosen, project, configuration, period } = ahead;
  const [action, cancel] = [pathOf(ctx, 'reports', 'new'), pathOf(ctx, 'reports')];
  return (
    <>
      <Facts
        facts={[
          [say('console.reports.configuration'), configuration ?? say('console.reports.ahead.noConfiguration')],
          [say('report.fields.project'), project ?? say('console.reports.wholeOrganization')],
          ...seen<Fact>(ctx, undefined, PERIOD, [
            [say('report.fields.period'), period ? days(period.start, period.end) : say('console.reports.ahead.ofStatements')],
          ]),
        ]}
      />
      {typeof found === 'string' ? (
        <Note tone="error">{say('console.reports.failure', { message: told(found) })}</Note>
      ) : found ? (
        <Found ctx={ctx} found={found} />
      ) : null}
      <ConsoleForm ctx={ctx} state={state} action={action} submit={say('console.reports.ahead.make')} cancel={cancel}>
        {Object.entries(chosen).map(([name, id]) => (
          <input type="hidden" name={name} value={id ?? ''} />
        ))}
        <RecordInputs fields={CLAIM_REPORT_FIELDS} state={state} />
        <Way to={action} label={say('console.reports.ahead.other')} />
      </ConsoleForm>
    </>
  );
}

function Found({ ctx, found: { shown, unredacted, elsewhere } }: { ctx: PageContext; found: FoundEvidence }) {
  return (
    <>
      {shown ? <Gaps shown={shown} /> : <p class="warning">{say('console.reports.ahead.tooMany')}</p>}
      {elsewhere === undefined ? null : <p class="warning">{elsewhereIn(elsewhere)}</p>}
      {unredacted.length === 0 ? null : (
        <p class="warning">
          {say('console.reports.ahead.unredacted')}{' '}
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

function elsewhereIn({ warning, projects: names }: NonNullable<FoundEvidence['elsewhere']>): string {
  const projects = names.map((name) => say('console.reports.ahead.quoted', { name })).join(', ');
  return sentenceOf(warning) + (projects && ` ${say('console.reports.ahead.elsewhere', { projects })}`);
}

const MAX_NAMED = 24;

function Gaps({ shown: { statements, calendar } }: { shown: NonNullable<FoundEvidence['shown']> }) {
  const { coveragePercent, months } = calendar.evidence;
  const namesOf = (wanted: 'missing' | 'partial'): string => {
    const found = months.filter(({ status }) => status === wanted).map((one) => month(one.month));
    const more = found.splice(MAX_NAMED).length;
    return [...found, ...(more > 0 ? [say('console.reports.ahead.more', { count: more })] : [])].join(', ');
  };
  const [missing, partial] = [namesOf('missing'), namesOf('partial')];
  const found = say('console.reports.ahead.found', { statements: FIRST, percent: amount(coveragePercent) });
  return (
    <>
      <Sentence text={found} names={[say('console.reports.ahead.statements', { count: statements.length })]} />
      {missing ? <p class="warning">{say('console.reports.ahead.missing', { months: missing })}</p> : null}
      {partial ? <p class="warning">{say('console.reports.ahead.partial', { months: partial })}</p> : null}
    </>
  );
}

const SECTION = 'reports';

@ConsoleSection({ path: SECTION, label: 'Evidence', order: 9, shows: 'names' })
export class WizardConsole {
  constructor(
    private readonly reports: ReportsService,
    private readonly choice: RunChoice,
    private readonly calendars: EvidenceCalendars,
    private readonly names: RunNames,
    private readonly door: ConsoleDoor,
  ) {}

  @Page({ route: 'GET /new', operation: 'claim_reports.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    const { query } = ctx;
    if (!query.has('projectId') && !query.has('reportConfigurationId')) return this.choices(ctx, formOf());
    return this.ahead(
      ctx,
      chosenIn((name) => query.get(name)),
      formOf(),
    );
  }

  private async ahead(ctx: PageContext, chosen: ChosenRun, state: FormState): Promise<Answer> {
    try {
      const ahead = await this.choice.read(ctx, chosen);
      const found = seesMonths(ctx) ? await this.calendars.ahead(ctx, ahead.projectId, ahead.period).catch(reasonOf) : undefined;
      return page(say('console.reports.new'), <RunAheadView {...{ ctx, ahead, found, state }} />, state.problem?.status);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status !== 400) throw problem;
      return this.choices(ctx, { ...formOf({ ...chosen }), problem });
    }
  }

  @Action({ route: 'POST /new', operation: 'claim_reports.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const chosen = chosenIn((name) => ctx.form.text(name));
    const body = { ...chosen, ...recordBody(CLAIM_REPORT_FIELDS, ctx.form) };
    const create = async (): Promise<Answer> => {
      const { id } = await this.door.call<ClaimReportDto>(ctx, { body });
      return goTo(pathOf(ctx, SECTION, id), say('console.reports.ahead.started'));
    };
    const isInSecondStep = ({ problem }: FormState): boolean =>
      problem?.errors.some(({ field }) => field.startsWith(CUSTOM_FIELDS)) ?? false;
    return orAgain(ctx, create, (state) => (isInSecondStep(state) ? this.ahead(ctx, chosen, state) : this.choices(ctx, state)));
  }

  @Page({ route: 'GET /:report_id/evidence', shows: [BankStatementDto, ClaimReportDto], operation: 'claim_reports.get' })
  async evidence(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const { result } = await this.reports.get(ctx, id);
    return page(
      say('console.reports.months.page'),
      <>
        {result ? (
          <AccountCalendar ctx={ctx} shown={await this.calendars.ofResult(ctx, result)} />
        ) : (
          <p>{say('console.reports.months.noResult')}</p>
        )}
        <Way to={pathOf(ctx, SECTION, id)} label={say('console.reports.back')} />
      </>,
    );
  }

  private async choices(ctx: PageContext, state: FormState): Promise<Answer> {
    const form = <ChoiceForm ctx={ctx} state={state} choices={await this.names.choices(ctx)} />;
    return page(say('console.reports.new'), form, state.problem?.status);
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
