import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Time, type Tone } from '../../../api/console/parts/facts.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { BankStatement, RedactionStatus } from '../statement.entity.js';

const STATUSES: Record<RedactionStatus, readonly [label: string, tone: Tone]> = {
  pending: ['Received', 'busy'],
  queued: ['Waiting', 'busy'],
  running: ['Being redacted', 'busy'],
  succeeded: ['Redacted', 'good'],
  failed: ['Failed', 'bad'],
  skipped: ['Imported as redacted', 'good'],
};
const CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

export const Status = ({ of: status }: { of: RedactionStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;

/** Their days, if they are known. */
export const periodOf = ({ periodStart, periodEnd }: BankStatement): string =>
  periodStart === null ? '' : `${periodStart} to ${periodEnd ?? ''}`;

/** The project of a record, with the way to it. */
export function ProjectLink({ ctx, id, names }: { ctx: PageContext; id: string | null; names: ReadonlyMap<string, string> }) {
  return id === null ? <span class="hint">None</span> : <a href={pathOf(ctx, 'projects', id)}>{names.get(id) ?? id}</a>;
}

interface ListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<BankStatement>;
  readonly projects: readonly Choice[];
  readonly names: ReadonlyMap<string, string>;
}

export function StatementList({ ctx, found, projects, names }: ListProps) {
  return (
    <>
      <p>Reports are made from bank statements. Names, accounts and other personal data are masked as soon as a file arrives.</p>
      <p class="buttons">
        <a class="button" href={pathOf(ctx, 'statements', 'new')}>
          Upload statements
        </a>
        <a class="button plain" href={pathOf(ctx, 'statements', 'links')}>
          Ask a client
        </a>
      </p>
      <Filters
        ctx={ctx}
        search="File name or account"
        selects={[
          ['project', 'Project', projects],
          ['status', 'Status', CHOICES],
        ]}
      />
      <Table
        caption="Bank statements"
        rows={found.rows}
        empty={<p>No statement is here yet, or none that you searched for.</p>}
        columns={[
          ['File', (statement) => <a href={pathOf(ctx, 'statements', statement.id)}>{statement.fileName || 'Without a name'}</a>],
          ['Project', (statement) => <ProjectLink ctx={ctx} id={statement.projectId} names={names} />],
          ['Account', (statement) => statement.accountLabel ?? ''],
          ['Period', periodOf],
          ['Lines', (statement) => statement.lineCount?.toLocaleString('en') ?? '', 'number'],
          ['Status', (statement) => <Status of={statement.redactionStatus} />],
          ['Uploaded', (statement) => <Time ctx={ctx} at={statement.createdAt} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}
