import { declareEvent } from '../../../extension-api.js';
import { PurchaseOrderDto } from './purchase-orders.dto.js';

const OF_ORDERS = { status: 'emitted', data: PurchaseOrderDto, collection: '/v1/purchase-orders' } as const;

export const PurchaseOrderCreated = declareEvent({
  ...OF_ORDERS,
  kind: 'purchase_order.created',
  summary: 'A purchase order was placed.',
});
export const PurchaseOrderReceived = declareEvent({
  ...OF_ORDERS,
  kind: 'purchase_order.received',
  summary: 'What was ordered has arrived.',
  example: { status: 'received' },
});
export const PurchaseOrderUpdated = declareEvent({
  ...OF_ORDERS,
  kind: 'purchase_order.updated',
  summary: 'A purchase order was changed.',
});
