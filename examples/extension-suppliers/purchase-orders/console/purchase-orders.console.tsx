import { Param } from '@nestjs/common';
import {
  Action,
  chosenIn,
  ConsolePage,
  ConsoleSection,
  formOf,
  goTo,
  orAgain,
  page,
  PAGE_SIZE,
  PageCtx,
  pageNumberIn,
  pathOf,
  ConsoleDoor,
  ProjectsService,
  valueIn,
  type Answer,
  type FormState,
  type PageContext,
} from '../../../../extension-api.js';
import { SuppliersService } from '../../suppliers/index.js';
import { PURCHASE_ORDER_STATUSES } from '../purchase-order.entity.js';
import { PurchaseOrderDto } from '../purchase-orders.dto.js';
import { PurchaseOrdersService } from '../purchase-orders.service.js';
import { PurchaseOrderForm, PurchaseOrderList, PurchaseOrderView, valuesOf } from './purchase-orders.views.js';

const SECTION = 'purchase-orders';

@ConsoleSection({ path: SECTION, label: 'Purchase orders', group: 'Claims', order: 51, operation: 'purchase_orders.list' })
export class PurchaseOrdersConsole {
  constructor(
    private readonly orders: PurchaseOrdersService,
    private readonly suppliers: SuppliersService,
    private readonly projects: ProjectsService,
    private readonly door: ConsoleDoor,
  ) {}

  @ConsolePage({ route: 'GET /', operation: 'purchase_orders.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const search = ctx.query.get('search')?.slice(0, 200) || undefined;
    const status = chosenIn(ctx, 'status', PURCHASE_ORDER_STATUSES);
    const found = await this.orders.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE, search, status });
    return page('Purchase orders', <PurchaseOrderList ctx={ctx} found={found} />);
  }

  @ConsolePage({ route: 'GET /new', operation: 'purchase_orders.create' })
  new(@PageCtx() ctx: PageContext): Promise<Answer> {
    return this.formPage(ctx, formOf({ status: 'open', quantity: '1', currency: 'EUR' }));
  }

  @Action({ route: 'POST /new', operation: 'purchase_orders.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const given = { body: fieldsOf(ctx) };
      const { id } = await this.door.call<PurchaseOrderDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'The purchase order was placed.');
    };
    return orAgain(ctx, create, (state) => this.formPage(ctx, state));
  }

  @ConsolePage({ route: 'GET /:purchase_order_id', operation: 'purchase_orders.get' })
  async show(@PageCtx() ctx: PageContext, @Param('purchase_order_id') id: string): Promise<Answer> {
    const row = await this.orders.get(ctx, id);
    const [supplier, projects] = await Promise.all([this.suppliers.get(ctx, row.supplierId), this.projects.names(ctx, [row.projectId])]);
    return page(row.name, <PurchaseOrderView ctx={ctx} row={row} supplier={supplier.name} project={projects.get(row.projectId ?? '')} />);
  }

  @ConsolePage({ route: 'GET /:purchase_order_id/edit', operation: 'purchase_orders.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('purchase_order_id') id: string): Promise<Answer> {
    return this.formPage(ctx, formOf(valuesOf(await this.orders.get(ctx, id))));
  }

  @Action({ route: 'POST /:purchase_order_id/edit', operation: 'purchase_orders.update' })
  update(@PageCtx() ctx: PageContext, @Param('purchase_order_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const given = { params: { purchase_order_id: id }, body: fieldsOf(ctx) };
      await this.door.call<PurchaseOrderDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'The purchase order was changed.');
    };
    return orAgain(ctx, update, (state) => this.formPage(ctx, state));
  }

  @Action({ route: 'POST /:purchase_order_id/receive', operation: 'purchase_orders.receive' })
  async receive(@PageCtx() ctx: PageContext, @Param('purchase_order_id') id: string): Promise<Answer> {
    await this.door.call(ctx, { params: { purchase_order_id: id } });
    return goTo(pathOf(ctx, SECTION, id), 'The purchase order was received.');
  }

  /** The form of a new order, or of one that there is. */
  private async formPage(ctx: PageContext, state: FormState): Promise<Answer> {
    const isNew = ctx.path.endsWith('/new');
    const [suppliers, projects] = await Promise.all([
      this.suppliers.choices(ctx, valueIn(state, 'supplierId')),
      this.projects.choices(ctx, valueIn(state, 'projectId')),
    ]);
    const said = isNew ? { submit: 'Place the order', cancel: pathOf(ctx, SECTION) } : { submit: 'Save', cancel: ctx.path.slice(0, -5) };
    const form = <PurchaseOrderForm ctx={ctx} state={state} suppliers={suppliers} projects={projects} {...said} />;
    return page(isNew ? 'New purchase order' : 'Edit purchase order', form, state.problem?.status);
  }
}

/** The fields of the form, as the body of the operation. */
const fieldsOf = ({ form }: PageContext) => ({
  supplierId: form.text('supplierId'),
  projectId: form.given('projectId') ?? null,
  number: form.given('number') ?? null,
  name: form.text('name'),
  quantity: form.text('quantity'),
  amount: form.text('amount'),
  currency: form.text('currency'),
  orderedOn: form.text('orderedOn'),
  status: form.text('status'),
});
