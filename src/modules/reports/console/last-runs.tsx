import { Way, type Figure } from '../../../api/console/parts/facts.js';
import { FirstStep, OverviewPanel, type Panel, RecordPanel, type Found, SearchSource } from '../../../api/console/ports.js';
import { type PageContext, pathOf } from '../../../api/console/page.js';
import { count, money, say } from '../../../api/console/say.js';
import { leadingOf } from '../../../kernel/empty-claim.js';
import { isUuid } from '../../../kernel/ids.js';
import { Implements } from '../../../store/discovery/ports.js';
import type { ClaimReport } from '../report.entity.js';
import { ClaimReportDto } from '../reports.dto.js';
import { ReportsService } from '../reports.service.js';
import { Runs, titleOf } from './reports.console.js';
import { restOf } from './result.views.js';
import { RunNames } from './runs.js';

/** Reports have no names of their own: they are found by their ids. */
@Implements(SearchSource)
export class ReportSearch implements SearchSource {
  readonly label = 'Reports';
  readonly order = 50;
  readonly shows = 'names';

  constructor(
    private readonly reports: ReportsService,
    private readonly names: RunNames,
  ) {}

  async find(ctx: PageContext, text: string): Promise<readonly Found[]> {
    if (!isUuid(text) || !ctx.can('claim_reports.list')) return [];
    const run = await this.reports.find(ctx, text);
    return run ? [{ title: titleOf(run, await this.names.read(ctx, [run])), path: pathOf(ctx, 'reports', run.id) }] : [];
  }
}

const SHOWN = 5;
/** The result of each is read for what it claims: that is most of what the page of a project costs. */
const SHOWN_OF_PROJECT = 3;

@Implements(OverviewPanel)
export class LastRuns implements OverviewPanel {
  readonly order = 10;
  readonly shows = [ClaimReportDto];

  constructor(
    private readonly reports: ReportsService,
    private readonly names: RunNames,
  ) {}

  async show(ctx: PageContext): Promise<Panel | null> {
    const { rows } = await this.reports.list(ctx, { page: 1, page_size: SHOWN });
    if (rows.length === 0) return null;
    const body = (
      <section>
        <h2>{say('console.reports.recent')}</h2>
        <Runs ctx={ctx} runs={rows} names={await this.names.read(ctx, rows)} />
        <Way to={pathOf(ctx, 'reports')} label={say('console.reports.all')} />
      </section>
    );
    const latest = rows.find(({ result }) => result !== null);
    return { body, figures: latest ? [...figuresOf(ctx, latest).slice(0, 2), toCheck(ctx, latest)] : [] };
  }
}

const toCheck = (ctx: PageContext, { id, result }: ClaimReport): Figure => [
  say('console.reports.toCheck'),
  count(result?.warnings.length ?? 0),
  <a href={pathOf(ctx, 'reports', id)}>{say('console.reports.inLatest')}</a>,
];

/** What a project claims by its latest report, and how it got there. */
@Implements(RecordPanel)
export class ProjectReports implements RecordPanel {
  readonly of = 'projects';
  readonly order = 10;
  readonly shows = [ClaimReportDto];

  constructor(
    private readonly reports: ReportsService,
    private readonly names: RunNames,
  ) {}

  async show(ctx: PageContext, id: string): Promise<Panel> {
    const rows = await this.reports.newest(ctx, id, SHOWN_OF_PROJECT);
    const latest = rows.find(({ result }) => result !== null);
    // The project is that of the page.
    const names = await this.names.read(
      ctx,
      rows.map((run) => ({ ...run, projectId: null })),
    );
    const body = (
      <section>
        <h2>{say('console.reports.title')}</h2>
        <Runs ctx={ctx} runs={rows} names={names} />
        {rows.length === SHOWN_OF_PROJECT ? (
          <Way to={`${pathOf(ctx, 'reports')}?project=${id}`} label={say('console.reports.all')} />
        ) : null}
      </section>
    );
    return {
      body,
      figures: latest ? figuresOf(ctx, latest) : [],
      ...(rows.length === 0 && {
        next: {
          step: 4,
          about: say('console.reports.ready'),
          label: say('console.reports.new'),
          to: `${pathOf(ctx, 'reports', 'new')}?projectId=${id}`,
        },
      }),
    };
  }
}

function figuresOf(ctx: PageContext, { id, result }: ClaimReport): readonly Figure[] {
  if (!result || leadingOf(result.warnings, ({ code }) => code).length > 0) return [];
  const report = pathOf(ctx, 'reports', id);
  return [
    [
      say('console.reports.claimable'),
      money(result.totals.claimable, result.currency),
      <a href={report}>{say('console.reports.byLatest')}</a>,
    ],
    ...restOf(result, report),
  ];
}

@Implements(FirstStep)
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
