import { declareEvent, type EventDeclaration } from '../../../kernel/declare-event.js';
import { ReceiptDto } from './receipts.dto.js';

export const ReceiptCreated: EventDeclaration = declareEvent({
  kind: 'receipt.created',
  status: 'emitted',
  summary: 'A receipt was added.',
  data: ReceiptDto,
  collection: '/v1/receipts',
});
export const ReceiptUpdated: EventDeclaration = declareEvent({
  kind: 'receipt.updated',
  status: 'emitted',
  summary: 'A receipt was changed.',
  data: ReceiptDto,
  collection: '/v1/receipts',
});
