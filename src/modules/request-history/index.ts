export { RequestHistoryModule } from './request-history.module.js';
export { RequestHistoryService } from './request-history.service.js';
