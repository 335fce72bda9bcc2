import { Injectable } from '@nestjs/common';
import { Database, RecordBounds, TenantRepository, type WriteContext } from '../../../extension-api.js';
import { PurchaseOrder } from './purchase-order.entity.js';

const BOUND = { name: 'purchaseOrders', noun: 'purchase orders', table: 'purchase_orders', max: 100_000 };

@Injectable()
export class PurchaseOrdersRepository extends TenantRepository<PurchaseOrder> {
  constructor(
    database: Database,
    private readonly bounds: RecordBounds,
  ) {
    // Orders are never deleted, so their count of a tenant only grows.
    super(database, PurchaseOrder, { keepsAll: true });
  }

  override insert(ctx: WriteContext, row: PurchaseOrder): Promise<void> {
    return this.bounds.create(ctx, BOUND, () => super.insert(ctx, row));
  }
}
