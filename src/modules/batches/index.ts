export { BatchesModule } from './batches.module.js';
export { BatchDto, CreateBatchDto } from './batches.dto.js';
