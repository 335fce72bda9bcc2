import {
  ActionButton,
  Badge,
  ConsoleForm,
  Facts,
  ListFilters,
  Pager,
  pathOf,
  SelectField,
  Table,
  TextField,
  Time,
  type Choice,
  type FormState,
  type PageContext,
  type PageOf,
} from '../../../../extension-api.js';
import { PURCHASE_ORDER_STATUSES, type PurchaseOrder } from '../purchase-order.entity.js';

const STATUSES: readonly Choice[] = PURCHASE_ORDER_STATUSES.map((status) => [status, status]);
const NO_PROJECT: Choice = ['', 'None'];

export function PurchaseOrderList({ ctx, found }: { ctx: PageContext; found: PageOf<PurchaseOrder> }) {
  return (
    <>
      {ctx.can('purchase_orders.create') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'purchase-orders', 'new')}>
            New purchase order
          </a>
        </p>
      ) : null}
      <ListFilters ctx={ctx} search="Name" selects={[['status', 'Status', STATUSES]]} />
      <Table
        caption="Purchase orders"
        rows={found.rows}
        empty={<p>There are no purchase orders yet, or none that you searched for.</p>}
        columns={[
          ['Name', (row) => <a href={pathOf(ctx, 'purchase-orders', row.id)}>{row.name}</a>],
          ['Amount', (row) => `${row.amount} ${row.currency}`],
          ['Ordered on', (row) => row.orderedOn],
          ['Status', (row) => <Badge>{row.status}</Badge>],
        ]}
      />
      <Pager ctx={ctx} counted={found} />
    </>
  );
}

interface ViewProps {
  readonly ctx: PageContext;
  readonly row: PurchaseOrder;
  readonly supplier: string;
  readonly project: string | undefined;
}

export function PurchaseOrderView({ ctx, row, supplier, project }: ViewProps) {
  return (
    <>
      <Facts
        facts={[
          ['Name', row.name],
          ['Number', row.number],
          ['Supplier', <a href={pathOf(ctx, 'suppliers', row.supplierId)}>{supplier}</a>],
          ['Project', row.projectId ? <a href={pathOf(ctx, 'projects', row.projectId)}>{project}</a> : null],
          ['Quantity', row.quantity],
          ['Amount', `${row.amount} ${row.currency}`],
          ['Ordered on', row.orderedOn],
          ['Status', <Badge>{row.status}</Badge>],
          ['Id', <code>{row.id}</code>],
          ['Created', <Time ctx={ctx} at={row.createdAt} />],
          ['Changed', <Time ctx={ctx} at={row.updatedAt} />],
        ]}
      />
      {ctx.can('purchase_orders.update') ? (
        <p>
          <a class="button" href={pathOf(ctx, 'purchase-orders', row.id, 'edit')}>
            Edit
          </a>
        </p>
      ) : null}
      {row.status === 'open' && ctx.can('purchase_orders.receive') ? (
        <ActionButton ctx={ctx} action={pathOf(ctx, 'purchase-orders', row.id, 'receive')} label="Receive" />
      ) : null}
    </>
  );
}

export const valuesOf = ({ supplierId, projectId, number, name, quantity, amount, currency, orderedOn, status }: PurchaseOrder) => ({
  supplierId,
  projectId,
  number,
  name,
  quantity,
  amount,
  currency,
  orderedOn,
  status,
});

interface FormProps {
  readonly ctx: PageContext;
  readonly state: FormState;
  readonly suppliers: readonly Choice[];
  readonly projects: readonly Choice[];
  readonly submit: string;
  readonly cancel: string;
}

export function PurchaseOrderForm({ ctx, state, suppliers, projects, submit, cancel }: FormProps) {
  return (
    <ConsoleForm ctx={ctx} state={state} submit={submit} cancel={cancel}>
      <TextField state={state} name="name" label="What is ordered" required maxLength={200} />
      <TextField state={state} name="number" label="Number" maxLength={40} />
      <SelectField state={state} name="supplierId" label="Supplier" choices={suppliers} />
      <SelectField state={state} name="projectId" label="Project" choices={[NO_PROJECT, ...projects]} />
      <TextField state={state} name="quantity" label="Quantity" required placeholder="7.25" />
      <TextField state={state} name="amount" label="Amount" required placeholder="1250.00" />
      <TextField state={state} name="currency" label="Currency" required maxLength={3} />
      <TextField state={state} name="orderedOn" label="Ordered on" type="date" required />
      <SelectField state={state} name="status" label="Status" choices={STATUSES} />
    </ConsoleForm>
  );
}
