export { ConfirmationsModule } from './confirmations.module.js';
export { ConfirmationUpkeep } from './confirmations.service.js';
