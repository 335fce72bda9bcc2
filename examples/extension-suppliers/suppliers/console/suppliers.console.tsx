import { Param } from '@nestjs/common';
import {
  Action,
  type Answer,
  chosenIn,
  ConsolePage,
  ConsoleSection,
  formOf,
  type FormState,
  goTo,
  orAgain,
  page,
  PAGE_SIZE,
  type PageContext,
  PageCtx,
  pageNumberIn,
  pathOf,
  ConsoleDoor,
} from '../../../../extension-api.js';
import { SUPPLIER_STATUSES } from '../supplier.entity.js';
import { SupplierDto } from '../suppliers.dto.js';
import { SuppliersService } from '../suppliers.service.js';
import { SupplierForm, SupplierList, SupplierView, valuesOf } from './suppliers.views.js';

const SECTION = 'suppliers';

@ConsoleSection({ path: SECTION, label: 'Suppliers', group: 'Claims', order: 50, operation: 'suppliers.list' })
export class SuppliersConsole {
  constructor(
    private readonly suppliers: SuppliersService,
    private readonly door: ConsoleDoor,
  ) {}

  @ConsolePage({ route: 'GET /', operation: 'suppliers.list' })
  async list(@PageCtx() ctx: PageContext): Promise<Answer> {
    const search = ctx.query.get('search')?.slice(0, 200) || undefined;
    const status = chosenIn(ctx, 'status', SUPPLIER_STATUSES);
    const found = await this.suppliers.list(ctx, { page: pageNumberIn(ctx), page_size: PAGE_SIZE, search, status });
    return page('Suppliers', <SupplierList ctx={ctx} found={found} />);
  }

  @ConsolePage({ route: 'GET /new', operation: 'suppliers.create' })
  new(@PageCtx() ctx: PageContext): Answer {
    return newPage(ctx, formOf({ status: 'active' }));
  }

  @Action({ route: 'POST /new', operation: 'suppliers.create' })
  create(@PageCtx() ctx: PageContext): Promise<Answer> {
    const create = async (): Promise<Answer> => {
      const given = { body: fieldsOf(ctx) };
      const { id } = await this.door.call<SupplierDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'The supplier was created.');
    };
    return orAgain(ctx, create, (state) => newPage(ctx, state));
  }

  @ConsolePage({ route: 'GET /:supplier_id', operation: 'suppliers.get' })
  show(@PageCtx() ctx: PageContext, @Param('supplier_id') id: string): Promise<Answer> {
    return this.showPage(ctx, id);
  }

  @ConsolePage({ route: 'GET /:supplier_id/edit', operation: 'suppliers.update' })
  async edit(@PageCtx() ctx: PageContext, @Param('supplier_id') id: string): Promise<Answer> {
    return editPage(ctx, formOf(valuesOf(await this.suppliers.get(ctx, id))));
  }

  @Action({ route: 'POST /:supplier_id/edit', operation: 'suppliers.update' })
  update(@PageCtx() ctx: PageContext, @Param('supplier_id') id: string): Promise<Answer> {
    const update = async (): Promise<Answer> => {
      const given = { params: { supplier_id: id }, body: fieldsOf(ctx) };
      await this.door.call<SupplierDto>(ctx, given);
      return goTo(pathOf(ctx, SECTION, id), 'The supplier was changed.');
    };
    return orAgain(ctx, update, (state) => editPage(ctx, state));
  }

  @Action({ route: 'POST /:supplier_id/delete', operation: 'suppliers.delete' })
  delete(@PageCtx() ctx: PageContext, @Param('supplier_id') id: string): Promise<Answer> {
    const remove = async (): Promise<Answer> => {
      await this.door.call(ctx, { params: { supplier_id: id } });
      return goTo(pathOf(ctx, SECTION), 'The supplier was deleted.');
    };
    return orAgain(ctx, remove, (state) => this.showPage(ctx, id, state));
  }

  private async showPage(ctx: PageContext, id: string, state: FormState = formOf()): Promise<Answer> {
    const row = await this.suppliers.get(ctx, id);
    return page(row.name, <SupplierView ctx={ctx} row={row} problem={state.problem} />, statusOf(state));
  }
}

const newPage = (ctx: PageContext, state: FormState): Answer =>
  page('New supplier', <SupplierForm ctx={ctx} state={state} submit="Create it" cancel={pathOf(ctx, SECTION)} />, statusOf(state));

const editPage = (ctx: PageContext, state: FormState): Answer =>
  page('Edit supplier', <SupplierForm ctx={ctx} state={state} submit="Save" cancel={ctx.path.replace(/\/edit$/, '')} />, statusOf(state));

const statusOf = ({ problem }: FormState): number => problem?.status ?? 200;

/** The fields of the form, as the body of the operation. */
const fieldsOf = ({ form }: PageContext) => ({
  name: form.text('name'),
  taxId: form.given('taxId') ?? null,
  status: form.text('status'),
});
