import { declareEvent, FILLED } from '../../kernel/declare-event.js';
import { ClaimReportDto } from './reports.dto.js';

export const ClaimReportQueued = declareEvent({
  kind: 'claim_report.queued',
  status: 'emitted',
  summary: 'A claim report run was queued.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
  example: { status: 'queued', startedAt: null, finishedAt: null, resultBytes: null },
});
export const ClaimReportSucceeded = declareEvent({
  kind: 'claim_report.succeeded',
  status: 'emitted',
  summary: 'A claim report run succeeded.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
  example: { status: 'succeeded', result: FILLED },
});
export const ClaimReportFailed = declareEvent({
  kind: 'claim_report.failed',
  status: 'emitted',
  summary: 'A claim report run failed.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
  example: { status: 'failed', resultBytes: null, failure: FILLED },
});
