export { PurchaseOrdersModule } from './purchase-orders.module.js';
