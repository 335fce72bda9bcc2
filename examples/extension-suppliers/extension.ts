import { declareExtension } from '../../extension-api.js';
import './card-statements.computation.js';
import { CreateSuppliers1790000000000 } from './migrations/1790000000000-create-suppliers.js';
import { CreatePurchaseOrders1790000001000 } from './migrations/1790000001000-create-purchase-orders.js';
import { IndexCostCentres1790000002000 } from './migrations/1790000002000-index-cost-centres.js';
import { AddTaxIds1790000003000 } from './migrations/1790000003000-add-tax-ids.js';
import './project-fields.js';
import './purchase-list.computation.js';
import { PurchaseOrdersModule } from './purchase-orders/index.js';
import { SuppliersModule } from './suppliers/index.js';

export const purchasingExtension = declareExtension({
  name: 'purchasing',
  madeFor: '^1.0.0',
  modules: [SuppliersModule, PurchaseOrdersModule],
  migrations: [CreateSuppliers1790000000000, CreatePurchaseOrders1790000001000, IndexCostCentres1790000002000, AddTaxIds1790000003000],
});
