import type { FormState } from '../../../api/console/form.js';
import { jsonText } from '../../../api/console/json-field.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Facts, Time, type Tone } from '../../../api/console/parts/facts.js';
import { AreaField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { Configuration, ConfigurationStatus } from '../configuration.entity.js';

/** Names of projects, by id. */
type Names = ReadonlyMap<string, string>;

const STATUSES: Record<ConfigurationStatus, readonly [label: string, tone: Tone]> = {
  draft: ['Draft', 'plain'],
  ready: ['Ready', 'good'],
  archived: ['Archived', 'busy'],
};
const CHOICES: readonly Choice[] = Object.entries(STATUSES).map(([value, [label]]) => [value, label]);

const Status = ({ of: status }: { of: ConfigurationStatus }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>;
const projectOf = ({ projectId }: Configuration, names: Names): string =>
  projectId === null ? 'All projects' : (names.get(projectId) ?? projectId);
const Json = ({ value }: { value: object }) =>
  jsonText(value) === '' ? <span class="hint">None</span> : <pre tabIndex={0}>{jsonText(value)}</pre>;

export function ConfigurationList({ ctx, found, projects }: { ctx: PageContext; found: PageOf<Configuration>; projects: Names }) {
  return (
    <>
      <p>A configuration says what a report is about: its period, its categories, and the files that are made.</p>
      {ctx.can('report_configurations.create') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'configurations', 'new')}>
            New configuration
          </a>
        </p>
      ) : null}
      <Filters ctx={ctx} search="Name" selects={[['status', 'Status', CHOICES]]} />
      <Table
        caption="Report configurations"
        rows={found.rows}
        empty={<p>No configuration is here yet, or none that you searched for.</p>}
        columns={[
          ['Name', (row) => <a href={pathOf(ctx, 'configurations', row.id)}>{row.name}</a>],
          ['Project', (row) => projectOf(row, projects)],
          ['Period', (row) => `${row.periodStart} to ${row.periodEnd}`],
          ['Status', (row) => <Status of={row.status} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

export function ConfigurationView({ ctx, row, projects }: { ctx: PageContext; row: Configuration; projects: Names }) {
  return (
    <>
      <Facts
        facts={[
          ['Project', projectOf(row, projects)],
          ['Period', `${row.periodStart} to ${row.periodEnd}`],
          ['Status', <Status of={row.status} />],
          ['Categories', <Json value={row.categoryFilter} />],
          ['Output', <Json value={row.outputOptions} />],
          ['Id', <code>{row.id}</code>],
          ['Created', <Time ctx={ctx} at={row.createdAt} />],
          ['Changed', <Time ctx={ctx} at={row.updatedAt} />],
        ]}
      />
      {ctx.can('report_configurations.update') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'configurations', row.id, 'edit')}>
            Edit
          </a>
        </p>
      ) : null}
    </>
  );
}

export const valuesOf = ({ projectId, name, periodStart, periodEnd, status, categoryFilter, outputOptions }: Configuration) => ({
  projectId,
  name,
  periodStart,
  periodEnd,
  status,
  categoryFilter: jsonText(categoryFilter),
  outputOptions: jsonText(outputOptions),
});

interface FormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly projects: readonly Choice[];
  readonly cancel: string;
}

export function ConfigurationForm({ ctx, state, projects, cancel }: FormProps) {
  const filter = (
    <>
      As JSON, such as <code>{'{"include": ["TRAVEL*"]}'}</code>. Empty: all.
    </>
  );
  const output = (
    <>
      As JSON, such as <code>{'{"formats": ["pdf"], "detail": "lines"}'}</code>. <a href="/guides/claim-reports.md">All options</a>
    </>
  );
  return (
    <ConsoleForm ctx={ctx} state={state} submit="Save the configuration" cancel={cancel}>
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <SelectField state={state} name="projectId" label="Project" choices={[['', 'All projects'], ...projects]} />
      <TextField state={state} name="periodStart" label="First day of the period" type="date" required />
      <TextField state={state} name="periodEnd" label="Last day of the period" type="date" required />
      <SelectField state={state} name="status" label="Status" choices={CHOICES} />
      <AreaField state={state} name="categoryFilter" label="Categories" hint={filter} rows={5} />
      <AreaField state={state} name="outputOptions" label="Output" hint={output} rows={8} />
    </ConsoleForm>
  );
}
