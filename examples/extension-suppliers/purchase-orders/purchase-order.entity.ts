import { Entity, Index } from 'typeorm';
import { DateColumn, DecimalColumn, MoneyColumn, TenantRow, TextColumn, UniqueOver, UuidColumn } from '../../../extension-api.js';

export const PURCHASE_ORDER_STATUSES = ['open', 'received', 'cancelled'] as const;
export type PurchaseOrderStatus = (typeof PURCHASE_ORDER_STATUSES)[number];

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
export class PurchaseOrder extends TenantRow {
  @UuidColumn() supplierId: string;
  @UuidColumn({ nullable: true }) projectId: string | null;
  @TextColumn({ nullable: true }) number: string | null;
  @TextColumn() name: string;
  @DecimalColumn() quantity: string;
  @MoneyColumn() amount: string;
  @TextColumn() currency: string;
  @DateColumn() orderedOn: string;
  @TextColumn() status: PurchaseOrderStatus;
  /** The folded name, for the search. */
  @TextColumn({ select: false }) searchKey?: string;
}
