import { declareEvent, FILLED, type EventDeclaration } from '../../kernel/declare-event.js';
import { ClaimReportDto } from './reports.dto.js';

const OF_RUN = { status: 'emitted', data: ClaimReportDto, collection: '/v1/claim-reports' } as const;

export const ClaimReportQueued: EventDeclaration = declareEvent({
  ...OF_RUN,
  kind: 'claim_report.queued',
  summary: 'A claim report run was queued.',
  example: { status: 'queued', startedAt: null, finishedAt: null, resultBytes: null },
});
export const ClaimReportSucceeded: EventDeclaration = declareEvent({
  ...OF_RUN,
  kind: 'claim_report.succeeded',
  summary: 'A claim report run succeeded.',
  example: { status: 'succeeded', result: FILLED },
});
export const ClaimReportFailed: EventDeclaration = declareEvent({
  ...OF_RUN,
  kind: 'claim_report.failed',
  summary: 'A claim report run failed.',
  example: { status: 'failed', resultBytes: null, failure: FILLED },
});
export const ClaimReportCancelled: EventDeclaration = declareEvent({
  ...OF_RUN,
  kind: 'claim_report.cancelled',
  summary: 'A claim report run was cancelled.',
  example: { status: 'cancelled', resultBytes: null },
});
