import { ended, type Waiting } from './ended.js';
import { ClaimsError } from './errors.js';
import { ClaimReportsResource } from './generated.js';
import type { ClaimReport, CreateClaimReport } from './generated-types.js';
import type { CallOptions, WriteOptions } from './options.js';

/** The run ended without a result. `report.failure` says why. */
export class ReportFailedError extends ClaimsError<'report_failed'> {
  constructor(readonly report: ClaimReport) {
    super('report_failed', `The report ${report.id} has failed: ${report.failure?.message ?? 'for an unknown reason'}`);
  }
}

export class ReportCancelledError extends ClaimsError<'report_cancelled'> {
  constructor(readonly report: ClaimReport) {
    super('report_cancelled', `The report ${report.id} was cancelled.`);
  }
}

export class Reports extends ClaimReportsResource {
  /** Queues a run and waits for its result. A failed or cancelled run is an error. */
  async createAndWait(body: CreateClaimReport = {}, options: WriteOptions & Waiting<ClaimReport> = {}): Promise<ClaimReport> {
    const { idempotencyKey: _, ...waiting } = options;
    const { id } = await this.create(body, options);
    return this.wait(id, waiting);
  }

  /** Waits for the result of a run, asking less and less often. */
  async wait(reportId: string, options: CallOptions & Waiting<ClaimReport> = {}): Promise<ClaimReport> {
    const report = await ended(
      (call) => this.get(reportId, call),
      {
        hasEnded: ({ status }) => ['succeeded', 'failed', 'cancelled'].includes(status),
        late: ({ status }) => `The report ${reportId} is still ${status}. Wait for it again with reports.wait.`,
      },
      options,
    );
    if (report.status === 'failed') throw new ReportFailedError(report);
    if (report.status === 'cancelled') throw new ReportCancelledError(report);
    return report;
  }
}
