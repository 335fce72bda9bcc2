export { ReportsModule } from './reports.module.js';
export { ReportsService } from './reports.service.js';
export { ReportOperatorService } from './report-operator.service.js';
export type { Change, ResultComparison } from './compare-results.js';
export { sha256Of, verifyPack, type PackFinding, type VerifiedPack } from './outputs/evidence/verify-pack.js';
export type { OutputOf } from './report-operator.service.js';
export { ClaimReportDto, CreateClaimReportDto } from './reports.dto.js';
export { ClaimReportCancelled, ClaimReportFailed, ClaimReportQueued, ClaimReportSucceeded } from './reports.events.js';
