import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { customFacts } from '../../../api/console/parts/custom-fields.js';
import { Badge, Facts, Time } from '../../../api/console/parts/facts.js';
import type { Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { FreeForm } from '../../../kernel/json.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { CATEGORY_FIELDS } from '../categories.dto.js';
import type { Category, CategoryStatus } from '../category.entity.js';
import { RULE_OPS, rowsOf } from './rule-rows.js';

export const STATUSES: readonly Choice[] = [
  ['active', 'Active'],
  ['archived', 'Archived'],
];

const Status = ({ of: status }: { of: CategoryStatus }) =>
  status === 'active' ? <Badge tone="good">Active</Badge> : <Badge tone="busy">Archived</Badge>;

interface ListProps {
  readonly ctx: PageContext;
  readonly found: PageOf<Category>;
  readonly projects: readonly Choice[];
  readonly names: ReadonlyMap<string, string>;
}

export function CategoryList({ ctx, found, projects, names }: ListProps) {
  return (
    <>
      <p>A category is a kind of expense that can be claimed. Its rules say which lines of statements belong to it.</p>
      {ctx.can('expense_categories.create') ? (
        <p class="buttons">
          <a class="button" href={pathOf(ctx, 'categories', 'new')}>
            New category
          </a>
          <a class="button plain" href={pathOf(ctx, 'categories', 'templates')}>
            Use a template
          </a>
        </p>
      ) : null}
      <Filters
        ctx={ctx}
        search="Code or name"
        selects={[
          ['project', 'Project', projects],
          ['status', 'Status', STATUSES],
        ]}
      />
      <Table
        caption="Expense categories"
        rows={found.rows}
        empty={<p>No category is here yet, or none that you searched for.</p>}
        columns={[
          ['Code', ({ id, code }) => <a href={pathOf(ctx, 'categories', id)}>{code}</a>],
          ['Name', ({ name }) => name],
          ['Project', ({ projectId }) => (projectId === null ? 'All' : (names.get(projectId) ?? projectId))],
          ['Rules', ({ sourceMapping }) => (Array.isArray(sourceMapping.rules) ? sourceMapping.rules.length : 0), 'number'],
          ['Status', ({ status }) => <Status of={status} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

export function CategoryView({ ctx, category, names }: { ctx: PageContext; category: Category; names: ReadonlyMap<string, string> }) {
  const { id, projectId, code, name, sourceProvider, sourceMapping, status, createdAt, updatedAt } = category;
  return (
    <>
      <Facts
        facts={[
          ['Code', code],
          ['Name', name],
          ['Project', projectId === null ? 'All' : <a href={pathOf(ctx, 'projects', projectId)}>{names.get(projectId) ?? projectId}</a>],
          ['Status', <Status of={status} />],
          ['Source', sourceProvider],
          ...customFacts(CATEGORY_FIELDS, category),
          ['Id', <code>{id}</code>],
          ['Created', <Time ctx={ctx} at={createdAt} />],
          ['Changed', <Time ctx={ctx} at={updatedAt} />],
        ]}
      />
      <h2>Rules</h2>
      <RulesView mapping={sourceMapping} />
      {ctx.can('expense_categories.update') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'categories', id, 'edit')}>
            Edit
          </a>
        </p>
      ) : null}
    </>
  );
}

/** As rows if they say all of it, else as JSON. */
export function RulesView({ mapping }: { mapping: FreeForm }) {
  const rows = rowsOf(mapping);
  if (!rows)
    return (
      <pre tabIndex={0} aria-label="Rules as JSON">
        {JSON.stringify(mapping, null, 2)}
      </pre>
    );
  return (
    <Table
      caption="Rules"
      rows={rows}
      empty={<p>It has no rules yet, so it claims nothing.</p>}
      columns={[
        ['A line belongs to it if', ({ field, op, value }) => `${field} ${RULE_OPS.find(([known]) => known === op)?.[1] ?? op} ${value}`],
        ['Claimable', ({ percent }) => `${percent || '100'} %`, 'number'],
      ]}
    />
  );
}
