import { declareEvent, FILLED, type EventDeclaration } from '../../kernel/declare-event.js';
import { ClaimReportDto } from './reports.dto.js';

export const ClaimReportQueued: EventDeclaration = declareEvent({
  kind: 'claim_report.queued',
  status: 'emitted',
  summary: 'A claim report run was queued.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
  example: { status: 'queued', startedAt: null, finishedAt: null, resultBytes: null },
});
export const ClaimReportSucceeded: EventDeclaration = declareEvent({
  kind: 'claim_report.succeeded',
  status: 'emitted',
  summary: 'A claim report run succeeded.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
  example: { status: 'succeeded', result: FILLED },
});
export const ClaimReportFailed: EventDeclaration = declareEvent({
  kind: 'claim_report.failed',
  status: 'emitted',
  summary: 'A claim report run failed.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
  example: { status: 'failed', resultBytes: null, failure: FILLED },
});
export const ClaimReportCancelled: EventDeclaration = declareEvent({
  kind: 'claim_report.cancelled',
  status: 'emitted',
  summary: 'A claim report run was cancelled.',
  data: ClaimReportDto,
  collection: '/v1/claim-reports',
  example: { status: 'cancelled', resultBytes: null },
});
