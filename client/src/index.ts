export { Claims } from './claims.js';
export { headersOf } from './caller.js';
export * from './errors.js';
export * from './generated.js';
export type * from './generated-types.js';
export type {
  AccessTokenFunction,
  CallOptions,
  ClaimsOptions,
  ClientCredentials,
  DeleteOptions,
  Fetch,
  OutgoingRequest,
  UpdateOptions,
  WriteOptions,
} from './options.js';
export { OAuthError, type OAuthErrorCode } from './token-requests.js';
export { List, type PageOf } from './list.js';
export { AuditExport, AuditLog, type AuditExportQuery } from './audit.js';
export { StatementFailedError, Statements } from './statements.js';
export { ReportCancelledError, ReportFailedError, Reports } from './reports.js';
export {
  Webhooks,
  WebhookError,
  type FetchHeaders,
  type IncomingHeaders,
  type SignOptions,
  type VerifyOptions,
  type WebhookMistake,
} from './webhooks.js';
export { AuditChainError, verifyAuditChain, type AuditHead, type ChainBreak, type ChainOptions } from './audit-chain.js';
export {
  AuditProofError,
  openAuditCheckpoint,
  verifyAuditConsistency,
  verifyAuditProof,
  type AuditCheckpointHead,
} from './audit-proofs.js';
