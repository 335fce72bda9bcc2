import { Param } from '@nestjs/common';
import { Action, ConsoleSection, Page } from '../../../api/console/declarations.js';
import { pathOf, type PageContext, CONTENT_ID, download, goTo, page, titledPage, type Answer, PageCtx } from '../../../api/console/page.js';
import { Badge, Time, type Tone, Confirm, Facts, LinkButton, Note, PlainLink, Way } from '../../../api/console/parts/facts.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { type Column, Counts, Filters, Pager, Table, readList } from '../../../api/console/parts/list.js';
import { customFacts } from '../../../api/console/parts/record.js';
import { money, say, period, told, amount } from '../../../api/console/say.js';
import { seen, seenOf } from '../../../api/console/shown.js';
import { leadingOf } from '../../../kernel/empty-claim.js';
import type { Counted, PageOf } from '../../../store/tenant/page.js';
import { ClosingBadge, ClosingBand, NextStep } from '../closing/closing.console.js';
import { ClaimClosingDto } from '../closing/closings.dto.js';
import { ClosingsService } from '../closing/closings.service.js';
import { ClaimLinesService } from '../lines/claim-lines.service.js';
import type { ClaimReportProgressDto } from '../result.dto.js';
import { type ClaimReport, REPORT_STATUSES, type ReportStatus } from '../report.entity.js';
import { CLAIM_REPORT_FIELDS, ClaimReportDto } from '../reports.dto.js';
import { ReportsService } from '../reports.service.js';
import type { Change, ResultComparison } from '../compare-results.js';
import { KeyLists, filtersIn, RunHistory, type ChoicesOfRuns, type NamesOfRuns, RunNames } from './runs.js';
import { KeyListView, ResultView } from './result.views.js';
import { sentenceOf } from './warning-sentences.js';

interface Compared {
  readonly ctx: PageContext;
  readonly before: ClaimReport;
  readonly run: ClaimReport;
  readonly comparison: ResultComparison;
}

const NothingToCompare = ({ ctx, run }: Pick<Compared, 'ctx' | 'run'>) => (
  <>
    <p>{run.result ? say('console.reports.compare.noneBefore') : say('console.reports.compare.noResult')}</p>
    <Way to={pathOf(ctx, 'reports', run.id)} label={say('console.reports.back')} />
  </>
);

const TOTALS = {
  net: 'console.reports.spent',
  claimable: 'console.reports.claimable',
  claimableTax: 'console.reports.compare.tax',
  uncategorised: 'console.reports.compare.uncategorised',
} as const;

const orNone = (figure: string | number | null): string => (figure === null ? say('console.reports.compare.none') : amount(String(figure)));
const change = (): readonly (readonly [string, (row: Change) => string, 'number'])[] => [
  [say('console.reports.compare.before'), ({ from }) => orNone(from), 'number'],
  [say('console.reports.compare.now'), ({ to }) => orNone(to), 'number'],
  [say('workbook.difference'), ({ difference }) => (difference === null ? '' : amount(difference)), 'number'],
];

function ComparisonView({ ctx, before, run, comparison }: Compared) {
  const { sameInputs, currency, totals, categories } = comparison;
  const runLink = ({ id, queuedAt }: ClaimReport) => (
    <a href={pathOf(ctx, 'reports', id)}>
      <Time ctx={ctx} at={queuedAt} />
    </a>
  );
  return (
    <>
      <Facts
        facts={[
          [say('console.reports.compare.runBefore'), runLink(before)],
          [say('console.reports.compare.thisRun'), runLink(run)],
          [say('console.reports.compare.inputs'), say(`console.reports.compare.${sameInputs ? 'same' : 'different'}`)],
          [say('report.fields.period'), fromTo({ from: daysOf(before), to: daysOf(run) })],
          [say('report.fields.currency'), fromTo(currency)],
        ]}
      />
      <Table
        caption={say('console.reports.compare.totals')}
        rows={Object.entries(totals).map(([name, total]) => ({ name: say(TOTALS[name as keyof typeof TOTALS]), ...total }))}
        empty=""
        columns={[[say('report.total'), ({ name }) => name], ...change()]}
      />
      <h2>{say('console.reports.compare.categories')}</h2>
      <Table
        caption={say('console.reports.compare.categories')}
        rows={categories}
        empty={<p>{say('console.reports.compare.noCategories')}</p>}
        columns={[[say('workbook.code'), ({ code }) => code], [say('report.signOff.name'), ({ name }) => name], ...change()]}
      />
      <Differences ctx={ctx} comparison={comparison} />
    </>
  );
}

function Differences({ ctx, comparison: { statements, warnings } }: Pick<Compared, 'ctx' | 'comparison'>) {
  const changed = [
    ...warnings.added.map((warning) => [say('console.reports.compare.new'), sentenceOf(warning)] as const),
    ...warnings.gone.map((warning) => [say('console.reports.compare.gone'), sentenceOf(warning)] as const),
  ];
  return (
    <>
      <h2>{say('console.reports.compare.statements')}</h2>
      <Table
        caption={say('console.reports.compare.statements')}
        rows={statements}
        empty={<p>{say('console.reports.compare.noStatements')}</p>}
        columns={[
          [say('console.reports.statement'), ({ id }) => <a href={pathOf(ctx, 'statements', id)}>{id}</a>],
          [say('console.reports.compare.linesBefore'), ({ linesUsed: { from } }) => orNone(from), 'number'],
          [say('console.reports.compare.linesNow'), ({ linesUsed: { to } }) => orNone(to), 'number'],
        ]}
      />
      <h2>{say('console.reports.warnings')}</h2>
      <Table
        caption={say('console.reports.compare.warnings')}
        rows={changed}
        empty={<p>{say('console.reports.compare.noWarnings')}</p>}
        columns={[
          [say('console.reports.compare.change'), ([kind]) => kind],
          [say('console.reports.compare.warning'), ([, sentence]) => sentence],
        ]}
      />
    </>
  );
}

const daysOf = ({ result }: ClaimReport): string | null => (result?.period ? period(result.period.start, result.period.end) : null);

const fromTo = ({ from, to }: { from: string | null; to: string | null }): string =>
  from === to ? (to ?? orNone(to)) : say('console.reports.compare.fromTo', { from: from ?? 'none', to: to ?? 'none' });

const TONES: Record<ReportStatus, Tone> = { queued: 'busy', running: 'busy', succeeded: 'good', failed: 'bad', cancelled: 'plain' };
const nameOf = (status: ReportStatus): string => say(`console.reports.status.${status}`);

export const Status = ({ of: status }: { of?: ReportStatus }) => status && <Badge tone={TONES[status]}>{nameOf(status)}</Badge>;

/** A run is called after its configuration or project. */
export const titleOf = ({ projectId, reportConfigurationId }: ClaimReport, { projects, configurations }: NamesOfRuns): string =>
  [configurations.get(reportConfigurationId ?? ''), projects.get(projectId ?? '')].filter(Boolean).join(', ') ||
  (projectId === null ? say('console.reports.wholeOrganization') : say('console.reports.allCategories'));

/** An amount of zero would look like a claim where nothing was read. */
function Claimable({ result }: Pick<ClaimReport, 'result'>) {
  if (!result) return null;
  if (leadingOf(result.warnings, ({ code }) => code).length > 0) return <Badge tone="bad">{say('console.reports.nothingRead')}</Badge>;
  return <>{money(result.totals.claimable, result.currency)}</>;
}

interface RunsProps {
  readonly ctx: PageContext;
  readonly runs: readonly ClaimReport[];
  readonly names: NamesOfRuns;
}

export const Runs = ({ ctx, runs, names, found }: RunsProps & { readonly found?: PageOf<ClaimReport> }) => (
  <Table
    caption={say('console.reports.runs')}
    rows={runs}
    empty={<p>{say('console.reports.none')}</p>}
    {...(found && { list: { ctx, counted: found } })}
    columns={[
      [
        say('report.fields.configuration'),
        (run) => <a href={pathOf(ctx, 'reports', run.id)}>{titleOf(run, names)}</a>,
        undefined,
        (run) => titleOf(run, names),
      ],
      ...seen<Column<ClaimReport>>(ctx, ClaimReportDto, 'status result result queuedAt', [
        [say('console.reports.statusOf'), ({ status }) => <Status of={status} />, undefined, ({ status }) => nameOf(status)],
        // A large result is not in a list.
        [
          say('console.reports.claimable'),
          ({ result }) => <Claimable result={result} />,
          'number',
          ({ result }) => result && Number(result.totals.claimable),
        ],
        [
          say('console.reports.warnings'),
          ({ result }) => result?.warnings.length ?? '',
          'number',
          ({ result }) => result && result.warnings.length,
        ],
        [say('console.reports.created'), ({ queuedAt }) => <Time ctx={ctx} at={queuedAt} />, undefined, ({ queuedAt }) => queuedAt],
      ]),
    ]}
  />
);

/** Without what is hidden. A result is whole, or it is not shown. */
const seenRun = (ctx: PageContext, run: ClaimReport): ClaimReport =>
  ctx.hidden?.hides(ClaimReportDto, ['result']) ? { ...seenOf(ctx, ClaimReportDto, run), result: null } : seenOf(ctx, ClaimReportDto, run);

const FILTERED = ['projectId', 'reportConfigurationId', 'status'];
const isHidden = ({ hidden }: PageContext): boolean => hidden?.hides(ClaimReportDto, FILTERED) ?? false;

interface ListProps extends Omit<RunsProps, 'runs'> {
  readonly found: PageOf<ClaimReport>;
  readonly choices: ChoicesOfRuns;
  /** undefined if there are too many. */
  readonly counts: Counted | undefined;
}

export function ReportList({ ctx, found, names, choices, counts }: ListProps) {
  const statuses = REPORT_STATUSES.map((status): Choice => [status, nameOf(status)]);
  return (
    <>
      <p>{say('console.reports.about')}</p>
      <Filters
        ctx={ctx}
        isHidden={isHidden(ctx)}
        selects={[
          ['project', say('report.fields.project'), choices.projects],
          ['configuration', say('console.reports.configuration'), choices.configurations],
          ...(counts ? [] : [['status', say('console.reports.statusOf'), statuses] as const]),
        ]}
      />
      {counts ? <Counts ctx={ctx} name="status" choices={statuses} counts={counts} /> : null}
      <Runs ctx={ctx} runs={found.rows} names={names} found={found} />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

const NEWS_SECONDS = 2;

interface Shown {
  readonly ctx: PageContext;
  readonly run: ClaimReport;
  readonly names: NamesOfRuns;
}

/** It is asked for again until the report is made. */
export function RunView({ ctx, run, names, files }: Shown & { readonly files: ReadonlyMap<string, string> }) {
  const isBusy = run.status === 'queued' || run.status === 'running';
  const details = <RunFacts ctx={ctx} run={run} names={names} />;
  return (
    <div id="run" data-news={isBusy ? NEWS_SECONDS : 0} data-at-end={CONTENT_ID}>
      {run.failure ? <Note tone="error">{say('console.reports.failure', { message: told(run.failure.message) })}</Note> : null}
      {run.result ? (
        <ResultView ctx={ctx} id={run.id} result={run.result} files={files}>
          <h2>{say('console.reports.details')}</h2>
          {details}
        </ResultView>
      ) : (
        details
      )}
    </div>
  );
}

interface ActionsProps extends Pick<Shown, 'ctx' | 'run'> {
  readonly hasKeyList: boolean;
  /** The run whose lines stand for those of this one. */
  readonly linesOf: string | undefined;
}

export const RunActions = ({ ctx, run, hasKeyList, linesOf }: ActionsProps) => (
  <>
    {hasKeyList && run.result ? <PlainLink to={pathOf(ctx, 'reports', run.id, 'names')} label={say('console.reports.keys.title')} /> : null}
    {linesOf === undefined ? null : (
      <PlainLink
        to={pathOf(ctx, 'reports', linesOf, 'lines')}
        label={linesOf === run.id ? say('console.lines.title') : say('console.lines.newest')}
      />
    )}
    {run.result && ctx.can('claim_report_shares.create') ? (
      <PlainLink to={pathOf(ctx, 'reports', run.id, 'link')} label={say('console.links.title')} />
    ) : null}
    {ctx.hidden?.isIn(ClaimReportDto) ? null : (
      <PlainLink to={pathOf(ctx, 'reports', run.id, 'compare')} label={say('console.reports.whatChanged')} />
    )}
  </>
);

/** Beside the part that is asked for again: a question that is open stays open until the run has ended. */
export const CancelRun = ({ ctx, run }: Pick<Shown, 'ctx' | 'run'>) =>
  run.status === 'queued' || run.status === 'running' ? (
    <Confirm
      ctx={ctx}
      action={pathOf(ctx, 'reports', run.id, 'cancel')}
      label={say('console.reports.cancel')}
      question={say('console.reports.cancelAbout')}
      submit={say('console.reports.cancel')}
    />
  ) : null;

const progressOf = ({ statementsRead: read, statements: all, linesRead: lines, filesWritten: files }: ClaimReportProgressDto): string =>
  say('console.reports.progressOf', { read, all, lines, files });

function RunFacts({ ctx, run, names }: Shown) {
  const { id, projectId, reportConfigurationId: configurationId, status, queuedAt, startedAt, finishedAt } = run;
  const linkTo = (of: keyof NamesOfRuns, its: string | null) => its && <a href={pathOf(ctx, of, its)}>{names[of].get(its) ?? its}</a>;
  const progress = status === 'running' ? run.progress : null;
  return (
    <Facts
      facts={[
        ...(status === 'succeeded' || !status ? [] : ([[say('console.reports.statusOf'), <Status of={status} />]] as const)),
        ...(progress ? ([[say('console.reports.progress'), progressOf(progress)]] as const) : []),
        [say('report.fields.project'), linkTo('projects', projectId)],
        [say('console.reports.configuration'), linkTo('configurations', configurationId)],
        ...(run.result?.period ? ([[say('report.fields.period'), period(run.result.period.start, run.result.period.end)]] as const) : []),
        ...(queuedAt ? ([[say('console.reports.created'), <Time ctx={ctx} at={queuedAt} />]] as const) : []),
        ...(startedAt ? ([[say('console.reports.started'), <Time ctx={ctx} at={startedAt} />]] as const) : []),
        ...(finishedAt ? ([[say('console.reports.ended'), <Time ctx={ctx} at={finishedAt} />]] as const) : []),
        ...customFacts(CLAIM_REPORT_FIELDS, ctx, ClaimReportDto.from(run)),
        [say('console.reports.id'), <code>{id}</code>],
      ]}
    />
  );
}

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

  @Page({ route: 'GET /', shows: 'fields', operation: 'claim_reports.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const choices = await this.runNames.choices(ctx);
    const filters = !isHidden(ctx) && filtersIn(ctx, choices);
    const whole = await readList(ctx, (page) => this.reports.list(ctx, { ...page, ...filters }));
    const found = { ...whole, rows: whole.rows.map((run) => seenRun(ctx, run)) };
    const create = <LinkButton to={pathOf(ctx, SECTION, 'new')}>{say('console.reports.new')}</LinkButton>;
    const names = await this.runNames.read(ctx, found.rows);
    const counts = isHidden(ctx) ? undefined : await this.reports.countsByStatus(ctx);
    const list = <ReportList ctx={ctx} found={found} names={names} choices={choices} counts={counts} />;
    return titledPage(say('scopes.of.claim_reports'), { actions: ctx.can('claim_reports.create') ? create : null }, list);
  }

  @Page({ route: 'GET /:report_id', shows: [ClaimClosingDto], operation: 'claim_reports.get' })
  async show(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    const whole = await this.reports.get(ctx, id);
    const run = seenRun(ctx, whole);
    const names = await this.runNames.read(ctx, [run]);
    const steps = await this.closings.findSteps(ctx, id);
    const hasKeyList = ctx.user.role === 'owner' && (await this.keyLists.areKept(ctx));
    const linesOf = whole.result && ctx.can('claim_lines.list') ? await this.lines.findRunWithLines(ctx, whole) : undefined;
    const beside = {
      up: [pathOf(ctx, SECTION), say('console.reports.title')],
      badge: steps.length > 0 ? <ClosingBadge steps={steps} /> : <Status of={run.status} />,
      actions: (
        <>
          <NextStep ctx={ctx} run={run} steps={steps} />
          <RunActions ctx={ctx} run={run} hasKeyList={hasKeyList} linesOf={linesOf} />
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

  @Page({ route: 'GET /:report_id/compare', shows: [ClaimReportDto], operation: 'claim_reports.get' })
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

  @Action({ route: 'POST /:report_id/cancel', shows: 'nothing', operation: 'claim_reports.cancel' })
  async cancel(@PageCtx() ctx: PageContext, @Param('report_id') id: string): Promise<Answer> {
    await this.history.cancel(ctx, id);
    return goTo(pathOf(ctx, SECTION, id), say('console.reports.cancelled'));
  }

  @Action({ route: 'POST /:report_id/files/:format', role: 'member', reads: { action: 'claim_report.file_taken', of: 'report_id' } })
  async download(@PageCtx() ctx: PageContext, @Param('report_id') id: string, @Param('format') format: string): Promise<Answer> {
    const { name, mediaType, content } = await this.history.file(ctx, await this.reports.get(ctx, id), format);
    return download(name, mediaType, content);
  }
}
