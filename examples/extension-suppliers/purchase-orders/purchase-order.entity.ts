import { Entity, Index } from 'typeorm';
import { RecordFields, RowOf, TextColumn, UniqueOver } from '../../../extension-api.js';
import { CreatePurchaseOrderDto, ListPurchaseOrdersQuery, PurchaseOrderDto, UpdatePurchaseOrderDto } from './purchase-orders.dto.js';

@Entity('purchase_orders')
@Index('purchase_orders_newest', ['organizationId', 'environment', 'id'])
@Index('purchase_orders_by_supplier', ['organizationId', 'environment', 'supplierId', 'id'])
@Index('purchase_orders_by_project', ['organizationId', 'environment', 'projectId', 'id'])
@Index('purchase_orders_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('purchase_orders_by_quantity', ['organizationId', 'environment', 'quantity', 'id'])
@Index('purchase_orders_by_amount', ['organizationId', 'environment', 'amount', 'id'])
@Index('purchase_orders_by_day', ['organizationId', 'environment', 'orderedOn', 'id'])
@UniqueOver('purchase_orders_unique', ['supplierId', 'number'], { noun: 'purchase order' })
@Index('purchase_orders_search', { synchronize: false })
export class PurchaseOrder extends RowOf(CreatePurchaseOrderDto) {
  /** The folded name, for the search. */
  @TextColumn({ select: false }) searchKey?: string;
}

export const PURCHASE_ORDER_FIELDS = new RecordFields({
  entity: PurchaseOrder,
  create: CreatePurchaseOrderDto,
  update: UpdatePurchaseOrderDto,
  answer: PurchaseOrderDto,
  list: ListPurchaseOrdersQuery,
});
