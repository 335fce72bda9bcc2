export { ClaimItemsModule } from './claim-items.module.js';
export { ClaimItemsService } from './claim-items.service.js';
export { ClaimItemDto, CreateClaimItemDto, UpdateClaimItemDto } from './claim-items.dto.js';
export { amountOf, type ClaimItem } from './claim-item.entity.js';
export { ClaimItemCreated, ClaimItemUpdated } from './claim-items.events.js';
