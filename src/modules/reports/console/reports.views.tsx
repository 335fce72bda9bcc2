import { pathOf, type PageContext } from '../../../api/console/page.js';
import { Badge, Time, type Tone } from '../../../api/console/parts/facts.js';
import { Counts, Filters, Nothing, Pager, Table } from '../../../api/console/parts/list.js';
import { money, say } from '../../../api/console/say.js';
import { leadingOf } from '../../../kernel/empty-claim.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { Counted } from '../../../store/tenant/tenant-repository.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { type ClaimReport, REPORT_STATUSES, type ReportStatus } from '../report.entity.js';
import type { ChoicesOfRuns, NamesOfRuns } from './run-names.js';

const TONES: Record<ReportStatus, Tone> = { queued: 'busy', running: 'busy', succeeded: 'good', failed: 'bad', cancelled: 'plain' };
const nameOf = (status: ReportStatus): string => say(`console.reports.status.${status}`);

export const Status = ({ of: status }: { of: ReportStatus }) => <Badge tone={TONES[status]}>{nameOf(status)}</Badge>;

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
    empty={
      <Nothing ctx={ctx}>
        <p>{say('console.reports.none')}</p>
      </Nothing>
    }
    {...(found && { list: { ctx, counted: found } })}
    columns={[
      [
        say('report.fields.configuration'),
        (run) => <a href={pathOf(ctx, 'reports', run.id)}>{titleOf(run, names)}</a>,
        undefined,
        (run) => titleOf(run, names),
      ],
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
    ]}
  />
);

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
