import {
  Badge,
  Confirm,
  type Choice,
  ConsoleForm,
  Facts,
  type FormState,
  ListFilters,
  type PageContext,
  type PageOf,
  Pager,
  pathOf,
  type Problem,
  SelectField,
  Table,
  TextField,
  Time,
} from '../../../../extension-api.js';
import { SUPPLIER_STATUSES, type Supplier } from '../supplier.entity.js';

const CHOICES: readonly Choice[] = SUPPLIER_STATUSES.map((status) => [status, status]);

export function SupplierList({ ctx, found }: { ctx: PageContext; found: PageOf<Supplier> }) {
  return (
    <>
      {ctx.can('suppliers.create') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'suppliers', 'new')}>
            New supplier
          </a>
        </p>
      ) : null}
      <ListFilters ctx={ctx} search="Name" selects={[['status', 'Status', CHOICES]]} />
      <Table
        caption="Suppliers"
        rows={found.rows}
        empty={<p>There are no suppliers yet, or none that you searched for.</p>}
        columns={[
          ['Name', (row) => <a href={pathOf(ctx, 'suppliers', row.id)}>{row.name}</a>],
          ['Status', (row) => <Badge>{row.status}</Badge>],
          ['Created', (row) => <Time ctx={ctx} at={row.createdAt} />],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

/** With what is wrong if it could not be deleted. */
export function SupplierView({ ctx, row, problem }: { ctx: PageContext; row: Supplier; problem?: Problem | undefined }) {
  return (
    <>
      {problem ? (
        <p class="error" role="alert">
          {problem.detail}
        </p>
      ) : null}
      <Facts
        facts={[
          ['Name', row.name],
          ['Tax number', row.taxId],
          ['Status', <Badge>{row.status}</Badge>],
          ['Id', <code>{row.id}</code>],
          ['Created', <Time ctx={ctx} at={row.createdAt} />],
          ['Changed', <Time ctx={ctx} at={row.updatedAt} />],
        ]}
      />
      {ctx.can('suppliers.update') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'suppliers', row.id, 'edit')}>
            Edit
          </a>
        </p>
      ) : null}
      {ctx.can('suppliers.delete') ? (
        <Confirm
          ctx={ctx}
          action={pathOf(ctx, 'suppliers', row.id, 'delete')}
          label="Delete"
          question="The supplier is deleted for good. One with purchase orders stays."
          submit="Delete the supplier"
        />
      ) : null}
    </>
  );
}

export const valuesOf = ({ name, taxId, status }: Supplier) => ({ name, taxId, status });

export function SupplierForm({ ctx, state, submit, cancel }: { ctx: PageContext; state: FormState; submit: string; cancel: string }) {
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField state={state} name="name" label="Name" required maxLength={200} />
      <TextField state={state} name="taxId" label="Tax number" maxLength={40} />
      <SelectField state={state} name="status" label="Status" choices={CHOICES} />
    </ConsoleForm>
  );
}
