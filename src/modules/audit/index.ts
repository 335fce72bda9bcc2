export { AuditModule } from './audit.module.js';
export { AuditBrowsing, AuditService, type LogVerdict } from './audit.service.js';
export { verifyChain, type ChainedRow, type ChainFault, type ChainHead, type ChainVerdict } from './audit-chain.js';
export { ProofsService } from './tree/proofs.service.js';
