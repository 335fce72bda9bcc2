import type { FormState } from '../../../api/console/form.js';
import { pathOf, type PageContext } from '../../../api/console/page-context.js';
import { Badge, Facts, Time } from '../../../api/console/parts/facts.js';
import { ConsoleForm, SelectField, TextField, type Choice } from '../../../api/console/parts/fields.js';
import { Filters, Pager, Table } from '../../../api/console/parts/list.js';
import type { PageOf } from '../../../store/tenant/page.js';
import { WIDGET_STATUSES, type Widget } from '../widget.entity.js';

const CHOICES: readonly Choice[] = WIDGET_STATUSES.map((status) => [status, status]);

export function WidgetList({ ctx, found }: { ctx: PageContext; found: PageOf<Widget> }) {
  return (
    <>
      {ctx.can('sample_widgets.create') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'sample-widgets', 'new')}>
            New
          </a>
        </p>
      ) : null}
      <Filters ctx={ctx} search="Name" selects={[['status', 'Status', CHOICES]]} />
      <Table
        caption="Sample widgets"
        rows={found.rows}
        empty={<p>Nothing is here yet, or nothing that you searched for.</p>}
        columns={[
          ['Name', (row) => <a href={pathOf(ctx, 'sample-widgets', row.id)}>{row.name}</a>],
          ['Status', (row) => <Badge>{row.status}</Badge>],
          ['Created', (row) => <Time ctx={ctx} at={row.createdAt} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

export function WidgetView({ ctx, row }: { ctx: PageContext; row: Widget }) {
  return (
    <>
      <Facts
        facts={[
          ['Name', row.name],
          ['Status', <Badge>{row.status}</Badge>],
          ['Id', <code>{row.id}</code>],
          ['Created', <Time ctx={ctx} at={row.createdAt} />],
          ['Changed', <Time ctx={ctx} at={row.updatedAt} />],
        ]}
      />
      {ctx.can('sample_widgets.update') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'sample-widgets', row.id, 'edit')}>
            Edit
          </a>
        </p>
      ) : null}
    </>
  );
}

export const valuesOf = ({ name, status }: Widget) => ({ name, status });

export function WidgetForm({ ctx, state, submit, cancel }: { ctx: PageContext; state: FormState; submit: string; cancel: string }) {
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <SelectField state={state} name="status" label="Status" choices={CHOICES} />
    </ConsoleForm>
  );
}
