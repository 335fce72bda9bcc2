import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Time, type Tone } from '../../../api/console/parts/facts.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { Filters, Nothing, Pager, Table } from '../../../api/console/parts/list.js';
import { money } from '../../../api/console/say.js';
import { leadingOf } from '../../../kernel/empty-claim.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { ClaimReport, ReportStatus } from '../report.entity.js';
import type { ChoicesOfRuns, NamesOfRuns } from './run-names.js';

const STATUSES: Record<ReportStatus, readonly [label: string, tone: Tone]> = {
  queued: ['Waiting', 'busy'],
  running: ['Running', 'busy'],
  succeeded: ['Succeeded', 'good'],
  failed: ['Failed', 'bad'],
  cancelled: ['Cancelled', 'plain'],
};
const CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

export const Status = ({ of: status }: { of: ReportStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;

/** A run is called after its configuration or project. */
export const titleOf = ({ projectId, reportConfigurationId }: ClaimReport, { projects, configurations }: NamesOfRuns): string =>
  [configurations.get(reportConfigurationId ?? ''), projects.get(projectId ?? '')].filter(Boolean).join(', ') ||
  (projectId === null ? 'Whole organization' : 'All categories');

/** An amount of zero would look like a claim where nothing was read. */
function Claimable({ result }: Pick<ClaimReport, 'result'>) {
  if (!result) return null;
  if (leadingOf(result.warnings, ({ code }) => code).length > 0) return <Badge tone="bad">Nothing read</Badge>;
  return <>{money(result.totals.claimable, result.currency)}</>;
}

interface RunsProps {
  readonly ctx: PageContext;
  readonly runs: readonly ClaimReport[];
  readonly names: NamesOfRuns;
}

export const Runs = ({ ctx, runs, names }: RunsProps) => (
  <Table
    caption="Claim report runs"
    rows={runs}
    empty={
      <Nothing ctx={ctx} of="report">
        <p>No report was made yet.</p>
      </Nothing>
    }
    columns={[
      ['Report', (run) => <a href={pathOf(ctx, 'reports', run.id)}>{titleOf(run, names)}</a>],
      ['Status', ({ status }) => <Status of={status} />],
      // A large result is not in a list.
      ['Claimable', ({ result }) => <Claimable result={result} />, 'number'],
      ['Warnings', ({ result }) => result?.warnings.length ?? '', 'number'],
      ['Created', ({ queuedAt }) => <Time ctx={ctx} at={queuedAt} />],
    ]}
  />
);

interface ListProps extends Omit<RunsProps, 'runs'> {
  readonly found: PageOf<ClaimReport>;
  readonly choices: ChoicesOfRuns;
}

export function ReportList({ ctx, found, names, choices }: ListProps) {
  return (
    <>
      <p>A report computes what can be claimed, from redacted statements and the rules of the categories.</p>
      <Filters
        ctx={ctx}
        selects={[
          ['project', 'Project', choices.projects],
          ['configuration', 'Configuration', choices.configurations],
          ['status', 'Status', CHOICES],
        ]}
      />
      <Runs ctx={ctx} runs={found.rows} names={names} />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}
