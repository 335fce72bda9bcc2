import { Injectable } from '@nestjs/common';
import { Database, TenantRepository } from '../../../extension-api.js';
import { PurchaseOrder } from './purchase-order.entity.js';

@Injectable()
export class PurchaseOrdersRepository extends TenantRepository<PurchaseOrder> {
  constructor(database: Database) {
    // Orders are never deleted, so their count of a tenant only grows.
    super(database, PurchaseOrder, { keepsAll: true });
  }
}
