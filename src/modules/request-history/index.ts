export { RequestHistoryModule } from './request-history.module.js';
