import { declareEvent } from '../../kernel/declare-event.js';
import { ClaimReportDto } from './reports.dto.js';

export const ClaimReportQueued = declareEvent({
  kind: 'claim_report.queued',
  status: 'emitted',
  summary: 'A claim report run was queued.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
});
export const ClaimReportSucceeded = declareEvent({
  kind: 'claim_report.succeeded',
  status: 'emitted',
  summary: 'A claim report run succeeded.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
});
export const ClaimReportFailed = declareEvent({
  kind: 'claim_report.failed',
  status: 'emitted',
  summary: 'A claim report run failed.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
});
