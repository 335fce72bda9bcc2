import { Entity, Index } from 'typeorm';
import { TenantRow, TextColumn } from '../../../extension-api.js';

export const SUPPLIER_STATUSES = ['active', 'archived'] as const;
export type SupplierStatus = (typeof SUPPLIER_STATUSES)[number];

@Entity('suppliers')
@Index('suppliers_newest', ['organizationId', 'environment', 'id'])
@Index('suppliers_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('suppliers_search', { synchronize: false })
export class Supplier extends TenantRow {
  @TextColumn() name: string;
  @TextColumn({ nullable: true }) taxId: string | null;
  @TextColumn() status: SupplierStatus;
  /** The folded name, for the search. */
  @TextColumn({ select: false }) searchKey?: string;
}
