import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { ClaimItemDto } from './claim-items.dto.js';

export const ClaimItemCreated: EventDeclaration = declareEvent({
  kind: 'claim_item.created',
  status: 'emitted',
  summary: 'A claim item was created.',
  data: ClaimItemDto,
  collection: '/v1/claim-items',
});
export const ClaimItemUpdated: EventDeclaration = declareEvent({
  kind: 'claim_item.updated',
  status: 'emitted',
  summary: 'A claim item was changed.',
  data: ClaimItemDto,
  collection: '/v1/claim-items',
});
