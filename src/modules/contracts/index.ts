export { ContractsModule } from './contracts.module.js';
export { Documents } from './documents.js';
export type { RecordIds } from './openapi-schemas.js';
