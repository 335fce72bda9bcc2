export { AuditModule } from './audit.module.js';
export { AuditService } from './audit.service.js';
export { verifyChain, type ChainedRow, type ChainFault, type ChainHead, type ChainVerdict } from './audit-chain.js';
