export { ContractsModule } from './contracts.module.js';
export { Documents } from './documents.js';
