import type { FormState } from '../../../api/console/form.js';
import { jsonText } from '../../../api/console/json-field.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Facts, Time } from '../../../api/console/parts/facts.js';
import { AreaField, ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { PageOf } from '../../../store/tenant/page.js';
import type { Category, CategoryStatus } from '../category.entity.js';

/** Names of projects, by id. */
type Names = ReadonlyMap<string, string>;

const STATUSES: Record<CategoryStatus, string> = { active: 'Active', archived: 'Archived' };
const CHOICES: readonly Choice[] = Object.entries(STATUSES);

const Status = ({ of: status }: { of: CategoryStatus }) => <Badge tone={status === 'active' ? 'good' : 'busy'}>{STATUSES[status]}</Badge>;
const projectOf = ({ projectId }: Category, names: Names): string =>
  projectId === null ? 'All projects' : (names.get(projectId) ?? projectId);

function rulesIn({ sourceMapping }: Category): number {
  const { rules } = sourceMapping as { rules?: unknown };
  return Array.isArray(rules) ? rules.length : 0;
}

export function CategoryList({ ctx, found, projects }: { ctx: PageContext; found: PageOf<Category>; projects: Names }) {
  return (
    <>
      <p>A category says by its rules which lines of bank statements are claimed under it.</p>
      {ctx.can('expense_categories.create') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'categories', 'new')}>
            New category
          </a>
        </p>
      ) : null}
      <Filters ctx={ctx} search="Code or name" selects={[['status', 'Status', CHOICES]]} />
      <Table
        caption="Expense categories"
        rows={found.rows}
        empty={<p>No category is here yet, or none that you searched for.</p>}
        columns={[
          ['Code', (row) => <a href={pathOf(ctx, 'categories', row.id)}>{row.code}</a>],
          ['Name', (row) => row.name],
          ['Project', (row) => projectOf(row, projects)],
          ['Rules', rulesIn, 'number'],
          ['Status', (row) => <Status of={row.status} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

export function CategoryView({ ctx, row, projects }: { ctx: PageContext; row: Category; projects: Names }) {
  return (
    <>
      <Facts
        facts={[
          ['Code', row.code],
          ['Project', projectOf(row, projects)],
          ['Status', <Status of={row.status} />],
          ['Rules', rulesIn(row) === 0 ? null : <pre tabIndex={0}>{jsonText(row.sourceMapping)}</pre>],
          ['Id', <code>{row.id}</code>],
          ['Created', <Time ctx={ctx} at={row.createdAt} />],
          ['Changed', <Time ctx={ctx} at={row.updatedAt} />],
        ]}
      />
      {ctx.can('expense_categories.update') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'categories', row.id, 'edit')}>
            Edit
          </a>
        </p>
      ) : null}
    </>
  );
}

export const valuesOf = ({ projectId, code, name, status, sourceMapping }: Category) => ({
  projectId,
  code,
  name,
  status,
  sourceMapping: jsonText(sourceMapping),
});

const EXAMPLE = '{"rules": [{"all": [{"field": "counterparty", "op": "contains", "value": "Rail"}], "claimablePercent": 100}]}';

interface FormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly projects: readonly Choice[];
  readonly cancel: string;
}

export function CategoryForm({ ctx, state, projects, cancel }: FormProps) {
  const hint = (
    <>
      As JSON, such as <code>{EXAMPLE}</code>. The <a href="/guides/claim-reports.md">guide</a> has all fields and operators.
    </>
  );
  return (
    <ConsoleForm ctx={ctx} state={state} submit="Save the category" cancel={cancel}>
      <TextField state={state} name="code" label="Code" hint="Yours, such as TRAVEL-RAIL." required maxLength={100} />
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <SelectField state={state} name="projectId" label="Project" choices={[['', 'All projects'], ...projects]} />
      <SelectField state={state} name="status" label="Status" choices={CHOICES} />
      <AreaField state={state} name="sourceMapping" label="Rules" hint={hint} rows={14} />
    </ConsoleForm>
  );
}
