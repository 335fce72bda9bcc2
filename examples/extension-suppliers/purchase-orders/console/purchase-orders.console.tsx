import { Param } from '@nestjs/common';
import {
  Action,
  ActionButton,
  ConsoleDoor,
  ConsoleSection,
  goTo,
  PageCtx,
  pathOf,
  RecordPages,
  type Answer,
  type PageContext,
} from '../../../../extension-api.js';
import { PURCHASE_ORDER_FIELDS, type PurchaseOrder } from '../purchase-order.entity.js';
import { PurchaseOrdersService } from '../purchase-orders.service.js';

const SECTION = 'purchase-orders';

@ConsoleSection({ path: SECTION, label: 'Purchase orders', group: 'Claims', order: 51, operation: 'purchase_orders.list' })
export class PurchaseOrdersConsole extends RecordPages({
  path: SECTION,
  operations: 'purchase_orders',
  id: 'purchase_order_id',
  fields: PURCHASE_ORDER_FIELDS,
  one: 'purchase order',
  all: 'Purchase orders',
  about: 'A purchase order says what was ordered from a supplier.',
  search: 'Name',
  atFirst: { currency: 'EUR' },
}) {
  constructor(orders: PurchaseOrdersService, door: ConsoleDoor) {
    super(orders, door);
  }

  @Action({ route: 'POST /:purchase_order_id/receive', shows: 'fields', operation: 'purchase_orders.receive' })
  async receive(@PageCtx() ctx: PageContext, @Param('purchase_order_id') id: string): Promise<Answer> {
    await this.door.call(ctx, { params: { purchase_order_id: id } });
    return goTo(pathOf(ctx, SECTION, id), 'The purchase order was received.');
  }

  protected override firstButtons(ctx: PageContext, { id, status }: PurchaseOrder) {
    if (status !== 'open' || !ctx.can('purchase_orders.receive')) return null;
    return <ActionButton ctx={ctx} action={pathOf(ctx, SECTION, id, 'receive')} label="Receive" />;
  }
}
