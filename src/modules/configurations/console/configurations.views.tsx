import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { customFacts } from '../../../api/console/parts/custom-fields.js';
import { Badge, Facts, Time, type Tone } from '../../../api/console/parts/facts.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { FreeForm } from '../../../kernel/json.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { CONFIGURATION_FIELDS } from '../configurations.dto.js';
import type { Configuration, ConfigurationStatus } from '../configuration.entity.js';

const STATUSES: Record<ConfigurationStatus, readonly [label: string, tone: Tone]> = {
  draft: ['Draft', 'plain'],
  ready: ['Ready', 'good'],
  archived: ['Archived', 'busy'],
};
export const STATUS_CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

const Status = ({ of: status }: { of: ConfigurationStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;

interface ListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<Configuration>;
  readonly projects: readonly Choice[];
  readonly names: ReadonlyMap<string, string>;
}

export function ConfigurationList({ ctx, found, projects, names }: ListProps) {
  return (
    <>
      <p>A configuration says what a report covers and which files it makes.</p>
      {ctx.can('report_configurations.create') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'configurations', 'new')}>
            New configuration
          </a>
        </p>
      ) : null}
      <Filters
        ctx={ctx}
        search="Name"
        selects={[
          ['project', 'Project', projects],
          ['status', 'Status', STATUS_CHOICES],
        ]}
      />
      <Table
        caption="Report configurations"
        rows={found.rows}
        empty={<p>No configuration is here yet, or none that you searched for.</p>}
        columns={[
          ['Name', ({ id, name }) => <a href={pathOf(ctx, 'configurations', id)}>{name}</a>],
          ['Project', ({ projectId }) => (projectId === null ? 'Whole organization' : (names.get(projectId) ?? projectId))],
          ['Period', ({ periodStart, periodEnd }) => `${periodStart} to ${periodEnd}`],
          ['Status', ({ status }) => <Status of={status} />],
          ['Changed', ({ updatedAt }) => <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

const Json = ({ of: value, label }: { of: FreeForm; label: string }) =>
  Object.keys(value).length === 0 ? (
    <span class="hint">As by default</span>
  ) : (
    <pre tabIndex={0} aria-label={label}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );

interface ViewProps {
  readonly ctx: PageContext;
  readonly configuration: Configuration;
  readonly names: ReadonlyMap<string, string>;
}

export function ConfigurationView({ ctx, configuration, names }: ViewProps) {
  const { id, projectId, name, periodStart, periodEnd, status, accountingProvider, createdAt, updatedAt } = configuration;
  return (
    <>
      <Facts
        facts={[
          ['Name', name],
          [
            'Project',
            projectId === null ? (
              'Whole organization'
            ) : (
              <a href={pathOf(ctx, 'projects', projectId)}>{names.get(projectId) ?? projectId}</a>
            ),
          ],
          ['Period', `${periodStart} to ${periodEnd}`],
          ['Status', <Status of={status} />],
          ['Source of the data', accountingProvider],
          ['Report and files', <Json of={configuration.outputOptions} label="Report and files" />],
          ['Categories', <Json of={configuration.categoryFilter} label="Categories" />],
          ...customFacts(CONFIGURATION_FIELDS, configuration),
          ['Id', <code>{id}</code>],
          ['Created', <Time ctx={ctx} at={createdAt} />],
          ['Changed', <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <p class="buttons">
        {ctx.can('claim_reports.create') ? (
          <a class="button" href={`${pathOf(ctx, 'reports', 'new')}?reportConfigurationId=${id}`}>
            Make a report with it
          </a>
        ) : null}
        {ctx.can('report_configurations.update') ? (
          <a class="button plain" href={pathOf(ctx, 'configurations', id, 'edit')}>
            Edit
          </a>
        ) : null}
      </p>
    </>
  );
}
